// Waiting for the next page: what is old is dimmed, and it is said.

import { element } from "./element.js";
import { words } from "./words.js";

/** Whoever waits less does not notice it. */
const NOTICED = 300;

let timer;
let voice;

/** Says something to those who listen to the page. */
export function say(text) {
  if (!voice) {
    voice = element("p", { class: "unseen", role: "status" });
    document.body.append(voice);
  }
  voice.textContent = text;
}

/** The next page was asked for. */
export function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    document.body.classList.add("loading");
    document.querySelector("main")?.setAttribute("aria-busy", "true");
    say(words.loading);
  }, NOTICED);
}

/** Nothing is waited for any more. */
export function rest() {
  clearTimeout(timer);
  document.body.classList.remove("loading");
  document.querySelector("main")?.removeAttribute("aria-busy");
  if (voice) voice.textContent = "";
}
