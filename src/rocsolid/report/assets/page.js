"use strict";
// The read-out of each panel: the slider carries the keyboard and the screen reader, the pointer
// moves the same slider, over the whole drawing or a part of it. Everything else on the
// page works without this script.
for (const box of document.querySelectorAll(".long")) {
  const rows = [...box.querySelectorAll("tbody tr")];
  if (rows.length < 20) continue;
  const label = document.createElement("label"), field = document.createElement("input");
  field.type = "search";
  field.addEventListener("input", () => {
    const asked = field.value.trim().toLowerCase();
    for (const row of rows) row.hidden = !row.textContent.toLowerCase().includes(asked);
  });
  label.append("Show rows with ", field);
  box.querySelector("summary").after(label);
}
for (const panel of document.querySelectorAll(".panel")) {
  const reader = panel.querySelector(".side .reader");
  if (!reader) continue;
  const whole = panel.querySelector("svg[data-box]"), root = panel.querySelector(".explorer");
  const drawn = [...whole.querySelectorAll(".curve")].sort((a, b) => a.dataset.of - b.dataset.of);
  const plain = (text) => Number(text.replace(/[<>]/, ""));
  const curves = drawn.map((group) => {
    const { name, rule, fpr, tpr, cut, hits } = group.dataset;
    if (hits) return countedCurve(group.dataset);
    const texts = { fpr: fpr.split(" "), tpr: tpr.split(" "), cut: cut.split(" ").map((c) => `${rule} ${c}`) };
    return { name, x: texts.fpr.map(plain), y: texts.tpr.map(plain), said: (key, place) => texts[key][place] };
  });
  const pictures = root && tabbed(whole, curves, () => explorer.moved());
  // the whole drawing first, then those of its parts: each shows a box of rates
  const views = [...panel.querySelectorAll("svg[data-box]")].map((drawing) => {
    const [left, right, bottom, top] = drawing.dataset.box.split(" ").map(Number);
    const marker = drawing.querySelector(".marker");
    const guide = drawing.querySelector(".guide");
    const inside = ({ x, y }, place) => [(x[place] - left) / (right - left), (y[place] - bottom) / (top - bottom)];
    const tabs = drawing === whole || drawing === pictures?.other;
    return { drawing, marker, guide, at: pictures && tabs ? pictures.place : inside };
  });
  const units = Number(views[0].marker.dataset.units);
  const slider = reader.querySelector("input[type=range]");
  const choices = [...reader.querySelectorAll("input[type=radio]")];
  const followers = [...panel.querySelectorAll("[data-of]")];
  const fields = [...reader.querySelectorAll("[data-out]")];
  const explorer = root && explore(root, curves, choose, pictures);
  let chosen = -1;

  function choose(index, place) {
    const curve = curves[index];
    if (index !== chosen) {
      chosen = index;
      choices[index].checked = true;
      for (const each of followers) {
        const shown = each.dataset.of === String(index);
        each.classList.toggle("chosen", shown);
        if (shown && each.matches(".curve")) each.parentNode.append(each);
      }
      slider.setAttribute("aria-label", `Move along the curve of ${curve.name}`);
    }
    slider.max = curve.x.length - 1;
    slider.value = place;
    for (const field of fields) field.textContent = curve.said(field.dataset.out, place);
    const [cut, tpr, fpr] = ["cut", "tpr", "fpr"].map((key) => curve.said(key, place));
    slider.setAttribute("aria-valuetext", `score ${cut}: true-positive rate ${tpr}, false-positive rate ${fpr}`);
    for (const { marker, guide, at } of views) {
      const [across, up] = at(curve, place);
      const outside = !(Math.min(across, up, 1 - across, 1 - up) >= 0); // without rows there is no precision
      for (const each of [marker, guide]) each.toggleAttribute("hidden", outside);
      if (outside) continue;
      marker.setAttribute("cx", Math.round(units * across));
      marker.setAttribute("cy", Math.round(units * up));
      guide.setAttribute("d", `M0 ${Math.round(units * up)}H${Math.round(units * across)}V0`);
    }
    explorer?.show(index, place);
  }

  function point(event, { marker, at }, among) {
    const toScreen = marker.parentNode.getScreenCTM(); // the marker itself may be hidden
    const mouse = new DOMPoint(event.clientX, event.clientY).matrixTransform(toScreen.inverse());
    let best = Infinity, which = chosen, place = 0;
    for (const i of among) {
      for (let j = 0; j < curves[i].x.length; j += 1) {
        const [across, up] = at(curves[i], j), away = (across - mouse.x / units) ** 2 + (up - mouse.y / units) ** 2;
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
  for (const view of views) {
    view.drawing.addEventListener("pointermove", (event) => point(event, view, [chosen]));
    view.drawing.addEventListener("pointerdown", (event) => point(event, view, curves.keys()));
    view.drawing.addEventListener("click", () => slider.focus({ preventScroll: true }));
  }
  reader.hidden = false;
  panel.classList.add("live");
  if (!explorer?.restore()) choose(0, explorer?.first ?? Math.floor(curves[0].x.length / 2));
}
