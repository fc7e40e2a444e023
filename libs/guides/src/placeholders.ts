/**
 * What the examples leave open. The page puts the installation's own address in the place of the
 * first; the others are left to the reader, and stand as they are written here.
 */
export const placeholders = {
  origin: "https://vault.example.com",
  apiKey: "cv_test_YOUR_KEY",
  cardId: "card_YOUR_CARD",
  secret: "whsec_YOUR_SECRET",
  nextSecret: "whsec_YOUR_NEXT_SECRET",
  /** Where the receiver listens: a number that works as it stands. */
  receiverPort: "8080",
} as const;
