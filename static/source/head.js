// The head of the page, whose height others need to know.

/** Tells the styles how high the head is, now and whenever it changes. */
export function measureHead() {
  const head = document.querySelector(".results .top");
  if (!head || !window.ResizeObserver) return;
  const tell = () => document.body.style.setProperty("--top", `${head.offsetHeight}px`);
  new ResizeObserver(tell).observe(head);
}
