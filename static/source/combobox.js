// A text field that offers what may be meant, by the combobox pattern of the ARIA practices: the focus stays in the
// field, the arrows go through the list, Enter takes, Escape closes.

import { element } from "./element.js";
import { say } from "./waiting.js";
import { fill, words } from "./words.js";

/** Who types on within this time has not finished a thought. */
const PAUSE = 150;
/** One letter could be anything. */
const FEWEST_LETTERS = 2;
/** More lines than this are not read. */
const MOST_LINES = 10;

/**
 * Makes a field offer suggestions.
 *
 * `ask(text, signal)` promises a list of `{ text, label, kind, within, far }`; `take(suggestion)` gets the chosen one.
 */
export function combobox(field, ask, take) {
  const list = element("ul", { role: "listbox", class: "offers", id: `${field.id}-offers`, hidden: true });
  list.setAttribute("aria-label", words.suggestions);
  // Within a label the list would be read as part of the name of the field.
  (field.closest("label") ?? field).after(list);
  for (const [name, value] of Object.entries({
    role: "combobox",
    "aria-autocomplete": "list",
    "aria-expanded": "false",
    "aria-controls": list.id,
  })) field.setAttribute(name, value);

  let offers = [];
  let at = -1;
  let timer;
  let request;

  function close() {
    clearTimeout(timer);
    request?.abort();
    at = -1;
    list.hidden = true;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function show(found) {
    offers = found.slice(0, MOST_LINES);
    at = -1;
    field.removeAttribute("aria-activedescendant");
    list.replaceChildren(...offers.map(line));
    const none = offers.length === 0;
    list.hidden = none;
    field.setAttribute("aria-expanded", String(!none));
    if (!none) {
      place();
      say(fill(words.suggested, offers.length));
    }
  }

  /** The list lies under the field, wherever the page has put that. */
  function place() {
    list.style.insetBlockStart = `${field.offsetTop + field.offsetHeight + 4}px`;
    list.style.left = `${field.offsetLeft}px`;
    list.style.width = `${field.offsetWidth}px`;
  }

  function line(offer, index) {
    const kind = words[`kind${offer.kind?.charAt(0).toUpperCase()}${offer.kind?.slice(1)}`] || offer.kind;
    return element(
      "li",
      {
        role: "option",
        id: `${list.id}-${index}`,
        "aria-selected": "false",
        // The field keeps the focus.
        pointerdown: (event) => event.preventDefault(),
        click: () => choose(index),
      },
      element("span", { class: "name", dir: "auto" }, offer.label ?? offer.text),
      kind ? element("span", { class: "kind" }, kind) : null,
      offer.within ? element("span", { class: "within", dir: "auto" }, offer.within) : null,
      offer.far ? element("span", { class: "far" }, offer.far) : null,
    );
  }

  function move(to) {
    list.children[at]?.setAttribute("aria-selected", "false");
    at = (to + offers.length) % offers.length;
    const chosen = list.children[at];
    chosen.setAttribute("aria-selected", "true");
    chosen.scrollIntoView({ block: "nearest" });
    field.setAttribute("aria-activedescendant", chosen.id);
  }

  function choose(index) {
    const offer = offers[index];
    close();
    field.value = offer.text;
    take(offer);
  }

  async function look() {
    request?.abort();
    const text = field.value.trim();
    if (text.length < FEWEST_LETTERS) return close();
    const mine = new AbortController();
    request = mine;
    try {
      const found = await ask(text, mine.signal);
      // Somebody who has left the field is not interrupted.
      if (!mine.signal.aborted && document.activeElement === field) show(found);
    } catch (error) {
      // Without suggestions the field is still a field.
      if (error.name !== "AbortError") close();
    }
  }

  field.addEventListener("input", (event) => {
    clearTimeout(timer);
    if (!event.isComposing) timer = setTimeout(look, PAUSE);
  });
  field.addEventListener("blur", close);
  field.form?.addEventListener("submit", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const open = !list.hidden;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (event.key === "ArrowUp" && event.altKey) return close();
      if (!open) return look();
      if (!event.altKey) move(event.key === "ArrowDown" ? at + 1 : at < 0 ? -1 : at - 1);
    } else if (event.key === "Enter" && open && at >= 0) {
      event.preventDefault();
      choose(at);
    } else if (event.key === "Escape" && open) {
      event.preventDefault();
      close();
    }
  });
}
