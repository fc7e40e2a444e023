import { Link } from "@tanstack/react-router";

/** As the service calls the place where its policies and its location are chosen. */
const place = "the marketplace settings";

/** Why a listing failed. Where the reason is to be mended in the settings, it leads there. */
export function ListingReason({ message }: { message: string }) {
  const at = message.indexOf(place);
  if (at < 0) return message;
  return (
    <>
      {message.slice(0, at)}
      <Link to="/settings/integrations" hash="marketplace">
        {place}
      </Link>
      {message.slice(at + place.length)}
    </>
  );
}
