// Searching without leaving the page: a new list takes the place of the old one, and the map learns of it. Where that
// cannot be, the browser goes to the address as it would without scripts.

import { rest, say, wait } from "./waiting.js";

/** How far the list was scrolled, by the name of its entry in the history. */
const positions = new Map();
let request;
/** What stood in the field with the focus when the search began. */
let asked;
/** The entry of the history that is shown, and its address. */
let entry;
let shown;
/** While a page comes back, the browser's own scrolling is not the reader's. */
let isTurning = false;

/** Takes searches upon itself: those of links, of forms, of the map, and of the buttons for back and forward. */
export function results() {
  addEventListener("pageshow", rest);
  document.addEventListener("click", followed);
  document.addEventListener("submit", submitted);
  if (!hasList()) return;
  name(history.state?.entry ?? unique());
  addEventListener("scroll", () => isTurning || positions.set(entry, scrollY), { passive: true });
  document.addEventListener("strabo:search", ({ detail }) => search(detail.address, detail.isMove));
  addEventListener("popstate", returned);
}

function followed(event) {
  const link = event.target.closest?.("a[href]");
  const stays = event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  if (!link || stays || event.defaultPrevented || link.origin !== location.origin) return;
  if (link.pathname !== "/search" || link.hash) return;
  if (!hasList()) return wait();
  event.preventDefault();
  search(link.href);
}

function submitted(event) {
  if (event.defaultPrevented) return;
  const { target: form } = event;
  const address = new URL(form.action, location.href);
  if (!hasList() || form.method !== "get" || address.pathname !== "/search") return wait();
  event.preventDefault();
  address.search = new URLSearchParams(new FormData(form)).toString();
  search(address.href);
}

/** Shows the results of an address; one move of the map after the other makes one step of the history. */
function search(address, isMove = false) {
  const follows = isMove && history.state?.isMove;
  turn(address, (next) => {
    const state = { entry: follows ? entry : unique(), isMove };
    // A page that has left something out says under which address it stands without it.
    const said = next.querySelector(".side").dataset.address ?? address;
    history[follows ? "replaceState" : "pushState"](state, "", said);
    name(state.entry);
    scrollTo(0, 0);
  });
}

/** Shows what was shown before at this step of the history. */
function returned(event) {
  // A link within the page is no other page.
  if (addressWithoutView() === shown) return;
  entry = event.state?.entry;
  isTurning = true;
  const position = positions.get(entry) ?? 0;
  turn(location.href, () => name(entry ?? unique()), () => scrollTo(0, position));
}

/** Fetches a page and puts its list here: `arrive` is called before, `settle` after. */
async function turn(address, arrive, settle = () => {}) {
  request?.abort();
  const mine = (request = new AbortController());
  asked = document.activeElement?.value;
  wait();
  const next = await fetched(address, mine.signal);
  if (mine.signal.aborted) return;
  if (!next) return location.assign(address);
  arrive(next);
  rest();
  put(next);
  settle();
  isTurning = false;
}

/** The page at an address, if it has a list and is of the same program as this one. */
async function fetched(address, signal) {
  try {
    const response = await fetch(address, { signal });
    const next = new DOMParser().parseFromString(await response.text(), "text/html");
    const script = (page) => page.getElementById("map")?.dataset.script;
    return response.ok && hasList(next) && script(next) === script(document) ? next : undefined;
  } catch {
    return undefined;
  }
}

function put(next) {
  const [old, fresh] = [document, next].map((it) => it.querySelector(".side"));
  const focus = old.contains(document.activeElement) ? document.activeElement.id || "results" : undefined;
  old.replaceWith(document.adoptNode(fresh));
  if (focus) (document.getElementById(focus) ?? document.getElementById("results")).focus({ preventScroll: true });
  document.title = next.title;
  document.getElementById("map-data").textContent = next.getElementById("map-data").textContent;
  for (const selector of ["link[rel=alternate]", ".foot [hreflang]"]) {
    document.querySelector(selector)?.setAttribute("href", next.querySelector(selector)?.getAttribute("href"));
  }
  document.querySelector(".paper").src = next.querySelector(".paper").src;
  for (const form of ["#box", ".three"]) fill(document.querySelector(form), next.querySelector(form));
  say(document.getElementById("count")?.textContent);
  document.dispatchEvent(new CustomEvent("strabo:found"));
}

/** Gives a form the values of another; what is being typed stays. */
function fill(form, other) {
  if (!form || !other) return;
  for (const hidden of form.querySelectorAll("[type=hidden]")) hidden.remove();
  for (const field of other.elements) {
    const mine = form.elements[field.name];
    if (field.type === "hidden") form.append(document.adoptNode(field.cloneNode()));
    else if (mine && !isTyped(mine)) {
      // A relation that is not among the usual ones is an entry of its own.
      if (field.options) mine.replaceChildren(...[...field.options].map((it) => it.cloneNode(true)));
      mine.value = field.value;
    }
  }
}

function isTyped(field) {
  return field === document.activeElement && field.value !== asked;
}

function hasList(page = document) {
  return Boolean(page.querySelector(".split .side"));
}

function name(now) {
  entry = now;
  shown = addressWithoutView();
  history.replaceState({ ...history.state, entry }, "");
}

/** The address without what the map shows, which changes while the page stays. */
function addressWithoutView() {
  const parameters = new URLSearchParams(location.search);
  parameters.delete("view");
  return `${location.pathname}?${parameters}`;
}

function unique() {
  return `${Date.now()}-${Math.random()}`;
}
