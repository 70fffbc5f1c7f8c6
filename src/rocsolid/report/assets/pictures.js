// Tabs beside the ROC curves, and low false-positive rates: squares of the same size, drawn from
// the same counts, in a copy of the drawing.
const TABS = {
  roc: ["ROC", "False-positive rate", "True-positive rate", (tp, fp, { pos, neg }) => [fp / neg, tp / pos]],
  pr: ["Precision–recall", "Recall", "Precision", (tp, fp, { pos }) => [tp / pos, tp / (tp + fp)]],
  gain: ["Cumulative gain", "Share of rows flagged", "Share of positives flagged",
    (tp, fp, { pos, neg }) => [(tp + fp) / (pos + neg), tp / pos]],
};

// The choice of the score in front once more, as boxes that say which curves are drawn.
function hidable(panel, hide) {
  const chooser = panel.querySelector("fieldset"), copy = chooser.cloneNode(true), box = document.createElement("details");
  const boxes = [...copy.querySelectorAll("input")];
  for (const one of boxes) Object.assign(one, { type: "checkbox", name: "", checked: true });
  copy.querySelector("legend").textContent = "Curves drawn beside the score in front";
  box.append(Object.assign(document.createElement("summary"), { textContent: "Hide curves" }), copy);
  box.hidden = chooser.hidden;
  box.addEventListener("change", hide);
  chooser.after(box);
  return boxes;
}

function tabbed(plain, curves, moved) {
  const made = (tag, more) => Object.assign(document.createElement(tag), more);
  const panel = plain.closest(".panel"), heading = panel.querySelector("h3");
  const other = plain.cloneNode(true), keys = Object.keys(TABS);
  const every = (selector) => [...other.querySelectorAll(selector)];
  for (const part of every("pattern, .band, .under, .points-on, .window, .listed, .swatch, .tick[transform]")) part.remove();
  const words = every("title, desc"), ticks = every(".tick.middle");
  for (const one of words) one.id += "-copy";
  other.setAttribute("aria-labelledby", words.map((one) => one.id).join(" "));
  const units = Number(other.querySelector(".marker").dataset.units), decades = curves[0].neg < 2000 ? 2 : 4;
  const frame = other.querySelector(".marker").parentNode.transform.baseVal.consolidate().matrix;
  const first = panel.dataset.picture;
  let tab = first, zoomed = false, sliced = false;

  const list = made("div", { className: "tabs", role: "tablist", ariaLabel: "Picture" });
  const view = made("div", { role: "tabpanel", tabIndex: 0, id: `${heading.id}-view` });
  const low = made("button", { type: "button", ariaPressed: false, textContent: "Low false-positive rates (logarithmic axis)" });
  const tabs = keys.map((key) => made("button", { type: "button", role: "tab", id: `${heading.id}-${key}`, textContent: TABS[key][0] }));
  list.append(...tabs);
  plain.before(list, view);
  view.append(plain, other, low);

  function at(tp, fp, curve) {
    const [x, y] = TABS[tab][3](tp, fp, curve);
    return [zoomed && tab === "roc" ? Math.max(0, 1 + Math.log10(x) / decades) : x, y];
  }
  const place = (curve, i) => at(curve.tp[i], curve.fp[i], curve);
  const line = (points) => {
    const places = points.filter(([, y]) => y >= 0).map((both) => both.map((v) => Math.round(units * v)).join(" "));
    return `M${places.filter((text, i) => text !== places[i - 1]).join("L")}`;
  };

  function trace(curve) {
    const { tp, fp } = curve, points = [place(curve, 0)];
    for (let i = 1; i < tp.length; i += 1) {
      const more = tp[i] - tp[i - 1], alarms = fp[i] - fp[i - 1], parts = more + alarms > 1 ? 6 : 1;
      for (let k = 1; k <= parts; k += 1) points.push(at(tp[i - 1] + (more * k) / parts, fp[i - 1] + (alarms * k) / parts, curve));
    }
    return line(points);
  }

  // the drawing of the file is that of all rows
  function draw(segment = sliced) {
    sliced = segment;
    const [name, x, y] = TABS[tab], log = tab === "roc" && zoomed, copied = log || sliced || tab !== "roc";
    tabs.forEach((one, i) => {
      const chosen = keys[i] === tab;
      one.ariaSelected = chosen;
      one.setAttribute("aria-controls", view.id);
      one.tabIndex = chosen ? 0 : -1;
      if (chosen) view.setAttribute("aria-labelledby", one.id);
    });
    low.hidden = tab !== "roc";
    low.ariaPressed = zoomed;
    plain.toggleAttribute("hidden", copied);
    other.toggleAttribute("hidden", !copied);
    if (!copied) return;
    words[0].textContent = `${name} of ${heading.textContent}`;
    words[1].textContent = `${y} against ${x.toLowerCase()}${log ? ", on a logarithmic axis" : ""}.`;
    every(".axis").forEach((title, i) => { title.textContent = [x, y][i]; });
    ticks.forEach((tick, i) => {
      tick.classList.toggle("middle", !log || i > 0);
      tick.textContent = log ? (i ? "" : "≤") + Number((10 ** (decades * (i / 4 - 1))).toPrecision(2)) : i / 4;
    });
    for (const group of every(".curve")) group.querySelector(".line").setAttribute("d", trace(curves[group.dataset.of]));
    const chance = other.querySelector(".chance"), { pos, neg } = curves[0], steps = [...Array(51).keys()];
    chance.setAttribute("d", line(steps.map((i) => 10 ** (i / 12.5 - 4)).map((rate) => at(rate * pos, rate * neg, curves[0]))));
    chance.setAttribute("transform", other.querySelector(".marker").parentNode.getAttribute("transform"));
    every(".tag").forEach((tag, i, all) => {
      const curve = curves[tag.dataset.of], [across, up] = place(curve, curve.y.findIndex((rate) => rate >= (i + 0.5) / all.length));
      tag.setAttribute("transform", `translate(${frame.e + frame.a * units * across} ${frame.f + frame.d * units * up})`);
    });
  }

  function hide() {
    for (const one of panel.querySelectorAll(".curve, .tag")) one.classList.toggle("off", !drawn[one.dataset.of].checked);
  }
  const drawn = hidable(panel, () => {
    hide();
    moved();
  });

  function turn(key) {
    tab = key;
    draw();
    moved();
  }
  tabs.forEach((one, i) => {
    one.addEventListener("click", () => turn(keys[i]));
    one.addEventListener("keydown", ({ key }) => {
      const next = { ArrowRight: i + 1, ArrowLeft: i + 2, Home: 0, End: 2 }[key];
      if (next === undefined) return;
      tabs[next % 3].focus();
      turn(keys[next % 3]);
    });
  });
  low.addEventListener("click", () => {
    zoomed = !zoomed;
    turn(tab);
  });
  draw();
  return {
    other,
    place,
    draw,
    keep(state) {
      if (tab !== first) state.set("tab", tab);
      if (zoomed) state.set("zoom", "low");
      drawn.forEach((box, i) => box.checked || state.append("hide", curves[i].name));
    },
    restore(state) {
      tab = Object.hasOwn(TABS, state.get("tab")) ? state.get("tab") : first;
      zoomed = state.get("zoom") === "low";
      drawn.forEach((box, i) => { box.checked = !state.getAll("hide").includes(curves[i].name); });
      hide();
      draw();
    },
  };
}
