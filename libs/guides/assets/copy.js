// A button on each block that one takes away. Without a clipboard (plain HTTP) there is none.
if (navigator.clipboard !== undefined) {
  for (const block of document.querySelectorAll("[data-copy]")) {
    const button = document.createElement("button");
    const name = block.querySelector("figcaption").textContent;
    const rest = () => {
      button.textContent = "Copy";
      button.setAttribute("aria-label", `Copy ${name}`);
    };
    button.type = "button";
    rest();
    const done = () => {
      button.textContent = "Copied";
      button.setAttribute("aria-label", `Copied ${name}`);
      setTimeout(rest, 2_000);
    };
    button.addEventListener("click", () => {
      void navigator.clipboard.writeText(block.querySelector("code").textContent).then(done);
    });
    block.querySelector("figcaption").append(button);
  }
}
