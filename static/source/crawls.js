// The pages of the operators: pieces of a page are put in place as they change, and what was
// understood is shown while somebody types. All of it works without this file, too.

/** Puts a piece of a page in its place, unless somebody is just working in it. */
function put(id, html) {
  const element = document.getElementById(id);
  if (!element) return;
  const isInUse = element.contains(document.activeElement) || element.contains(chosen());
  if (isInUse) return void waiting.set(id, html);
  waiting.delete(id);
  element.innerHTML = html;
}

/** What holds the text that is selected. */
function chosen() {
  const selection = document.getSelection();
  return selection && !selection.isCollapsed ? selection.anchorNode : null;
}

/** Pieces that came while somebody worked in their place. */
const waiting = new Map();

function live(root) {
  const events = new EventSource(root.dataset.events);
  const lost = root.querySelector(".lost");
  events.onopen = () => {
    lost.hidden = true;
    root.querySelector(".live-note").hidden = false;
  };
  events.onerror = () => {
    lost.hidden = false;
    root.querySelector(".live-note").hidden = true;
  };
  events.onmessage = (event) => {
    for (const [id, html] of Object.entries(JSON.parse(event.data))) {
      // A task that was made elsewhere has no place yet.
      if (id.startsWith("task-") && !document.getElementById(id)) return location.reload();
      put(id, html);
    }
  };
  document.addEventListener("focusout", () => setTimeout(() => {
    for (const [id, html] of [...waiting]) put(id, html);
  }, 200));
  addEventListener("pagehide", () => events.close());
  addEventListener("pageshow", (event) => event.persisted && location.reload());
}

function understand(form) {
  const shown = document.getElementById("understood");
  const { region, topic, seal } = form.elements;
  let timer, asked;
  const ask = async () => {
    asked?.abort();
    asked = new AbortController();
    const body = new URLSearchParams({ region: region.value, topic: topic.value, seal: seal.value });
    try {
      const answer = await fetch("/crawls/preview", { method: "POST", body, signal: asked.signal });
      if (answer.ok) shown.innerHTML = await answer.text();
    } catch (error) {
      if (error.name !== "AbortError") shown.textContent = "";
    }
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, 300);
  };
  region.addEventListener("input", soon);
  topic.addEventListener("input", soon);
  form.querySelector(".preview").parentElement.hidden = true;

  const file = document.getElementById("topic-file");
  file.closest("label").hidden = false;
  file.addEventListener("change", async () => {
    const chosenFile = file.files[0];
    if (!chosenFile) return;
    // A longer one is refused by the server; nobody waits for it to be read.
    topic.value = await chosenFile.slice(0, 70_000).text();
    soon();
  });
}

const root = document.querySelector("[data-events]");
if (root) live(root);
const form = document.querySelector(".task-form");
if (form) understand(form);
