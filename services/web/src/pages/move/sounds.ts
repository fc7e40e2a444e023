/** What a scan sounds like, so that nobody has to look up: a tick, or two low tones that mean stop. */
type Sound = "good" | "bad" | "neutral";

const tones: Record<Sound, readonly { hz: number; atSeconds: number; seconds: number }[]> = {
  good: [{ hz: 1_320, atSeconds: 0, seconds: 0.06 }],
  neutral: [{ hz: 880, atSeconds: 0, seconds: 0.06 }],
  bad: [
    { hz: 220, atSeconds: 0, seconds: 0.16 },
    { hz: 165, atSeconds: 0.2, seconds: 0.28 },
  ],
};
const volume = 0.2;
const buzzMs = [120, 60, 240];

let audio: AudioContext | undefined;

/** Plays where the browser lets it: after a key or a click on the page, and not before. */
export function play(sound: Sound): void {
  if (sound === "bad" && "vibrate" in navigator) navigator.vibrate(buzzMs);
  try {
    audio ??= new AudioContext();
    void audio.resume();
    for (const tone of tones[sound]) playTone(audio, tone);
  } catch {
    // A machine without sound shows the same in red.
  }
}

function playTone(
  context: AudioContext,
  { hz, atSeconds, seconds }: (typeof tones)[Sound][number],
): void {
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.frequency.value = hz;
  const start = context.currentTime + atSeconds;
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(0.001, start + seconds);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}
