"use strict";
// The read-out of each panel: the slider carries the keyboard and the screen reader, the pointer
// moves the same slider. Everything else on the page works without this script.
for (const panel of document.querySelectorAll(".panel")) {
  const reader = panel.querySelector(".reader");
  if (!reader) continue;
  const drawing = panel.querySelector("svg.roc");
  const marker = drawing.querySelector(".marker");
  const guide = drawing.querySelector(".guide");
  const units = Number(marker.dataset.units);
  const slider = reader.querySelector("input[type=range]");
  const choices = [...reader.querySelectorAll("input[type=radio]")];
  const followers = [".curve", ".tag", ".about"].map((kind) => [...panel.querySelectorAll(kind)]);
  const fields = [...reader.querySelectorAll("[data-out]")];
  const plain = (text) => units * Number(text.replace(/[<>]/, ""));
  const curves = [...drawing.querySelectorAll(".curve")].map((group) => {
    const { name, rule, fpr, tpr, cut } = group.dataset;
    const texts = { fpr: fpr.split(" "), tpr: tpr.split(" "), cut: cut.split(" ").map((c) => `${rule} ${c}`) };
    return { group, name, texts, x: texts.fpr.map(plain), y: texts.tpr.map(plain) };
  });
  let chosen = -1;

  function choose(index, place) {
    const curve = curves[index];
    if (index !== chosen) {
      chosen = index;
      choices[index].checked = true;
      for (const kind of followers) {
        kind.forEach((each, i) => each.classList.toggle("chosen", i === index));
      }
      curve.group.parentNode.append(curve.group);
      slider.max = curve.x.length - 1;
      slider.setAttribute("aria-label", `Move along the curve of ${curve.name}`);
    }
    slider.value = place;
    const { cut, tpr, fpr } = curve.texts;
    for (const field of fields) field.textContent = curve.texts[field.dataset.out][place];
    slider.setAttribute(
      "aria-valuetext",
      `score ${cut[place]}: true-positive rate ${tpr[place]}, false-positive rate ${fpr[place]}`,
    );
    marker.setAttribute("cx", curve.x[place]);
    marker.setAttribute("cy", curve.y[place]);
    guide.setAttribute("d", `M0 ${curve.y[place]}H${curve.x[place]}V0`);
  }

  function point(event, among) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(marker.getScreenCTM().inverse());
    let best = Infinity, which = chosen, place = 0;
    for (const i of among) {
      const { x, y } = curves[i];
      for (let j = 0; j < x.length; j += 1) {
        const away = (x[j] - at.x) ** 2 + (y[j] - at.y) ** 2;
        if (away < best) [best, which, place] = [away, i, j];
      }
    }
    choose(which, place);
  }

  slider.addEventListener("input", () => choose(chosen, slider.valueAsNumber));
  choices.forEach((choice, i) =>
    choice.addEventListener("change", () => {
      const share = slider.valueAsNumber / Number(slider.max);
      choose(i, Math.round(share * (curves[i].x.length - 1)));
    }),
  );
  drawing.addEventListener("pointermove", (event) => point(event, [chosen]));
  drawing.addEventListener("pointerdown", (event) => point(event, curves.keys()));
  drawing.addEventListener("click", () => slider.focus({ preventScroll: true }));
  reader.hidden = false;
  panel.classList.add("live");
  choose(0, Math.floor(curves[0].x.length / 2));
}
