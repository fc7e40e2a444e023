// Preloaded into every thread of a process: whoever asks the network for anything is refused.
import { Socket } from "node:net";

const refuse = (): never => {
  throw new Error("The network was asked");
};
Socket.prototype.connect = refuse;
globalThis.fetch = refuse;
