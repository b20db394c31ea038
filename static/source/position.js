// "Near me": the position of the user, asked for on a click and never before.

import { element, icon } from "./element.js";
import { say } from "./waiting.js";
import { words } from "./words.js";

/** A position is needed once; after so long nobody waits for it. */
const PATIENCE = 15_000;
const CROSSHAIR = "M12 5a7 7 0 1 0 0 14a7 7 0 1 0 0-14M12 2v4M12 18v4M2 12h4M18 12h4";

/** A button that searches around the user, beside the field. */
export function nearMe(form) {
  if (!navigator.geolocation || !words.nearMe) return;
  const field = form.elements.q;
  const button = element(
    "button",
    { type: "button", class: "quiet near-me", title: words.nearMe, "aria-label": words.nearMe, click: locate },
    icon(CROSSHAIR),
  );
  field.after(button);

  function locate() {
    button.setAttribute("aria-busy", "true");
    const options = { timeout: PATIENCE, maximumAge: 60_000 };
    navigator.geolocation.getCurrentPosition(found, () => failed(), options);
  }

  function found({ coords }) {
    // A thousandth of a degree is a hundred metres: near enough, and it tells less.
    const at = `${coords.latitude.toFixed(3)},${coords.longitude.toFixed(3)}`;
    for (const old of form.querySelectorAll("input[type=hidden]")) old.remove();
    form.append(element("input", { type: "hidden", name: "at", value: at }));
    field.value = asked(field.value);
    button.removeAttribute("aria-busy");
    form.requestSubmit();
  }

  function failed() {
    button.removeAttribute("aria-busy");
    button.title = words.noPosition;
    say(words.noPosition);
  }
}

/** What is asked for, around the user: a place that was named before gives way. */
function asked(text) {
  const phrase = words.nearMe.toLowerCase();
  if (text.toLowerCase().includes(phrase)) return text;
  const named = document.querySelector(".chip.where");
  const theme = named ? document.querySelector(".three [name=what]")?.value : text;
  return `${theme ?? ""} ${phrase}`.trim();
}
