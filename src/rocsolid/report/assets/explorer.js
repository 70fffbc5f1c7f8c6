"use strict";
// The threshold explorer of a private page. Counts are those of the rows; limits are looked up in
// tables that hold at all thresholds at once. The address's fragment keeps what a reader has set.
// increments as numbers, or packed: n + 2^order in binary digits, after as many zeros as there are
// digits beyond order + 1
function steps(text) {
  if (!text.startsWith("~")) return text.split(" ").map(Number);
  const order = parseInt(text[1], 36), bytes = atob(text.slice(2)), end = 8 * bytes.length, found = [];
  const bit = (at) => (bytes.charCodeAt(at >> 3) >> (7 - (at & 7))) & 1;
  for (let at = 0; at < end;) {
    const from = at;
    while (at < end && !bit(at)) at += 1;
    if (at === end) break;
    let code = 0;
    for (const stop = 2 * at - from + order + 1; at < stop; at += 1) code = 2 * code + bit(at);
    found.push(code - 2 ** order);
  }
  return found;
}
const sums = (text) => {
  let sum = 0;
  return steps(text).map((step) => (sum += step));
};

// thresholds of a few significant digits, numbered from zero in both directions
function gridded(text, side) {
  const [digits, lowest, first, packed] = text.split(" "), least = 10 ** (digits - 1);
  return sums(`~${packed}`).map((down) => {
    const key = first - down, place = Math.abs(key) - 1, power = Math.floor(place / (9 * least)) + Number(lowest);
    return key === 0 ? 0 : side * Math.sign(key) * Number(`${least + (place % (9 * least))}e${power}`);
  });
}
const many = (value) => value.toLocaleString("en-US", { maximumFractionDigits: 1 });
const six = (value) => (Number.isFinite(value) ? String(Number(value.toPrecision(6))) : "∞").replace("-", "−");

function rate(value) {
  if (value === 0 || value === 1) return String(value);
  return value < 0.00005 ? "<0.0001" : value >= 0.99995 ? ">0.9999" : value.toFixed(4);
}

function percent(value) {
  if (value === 0 || value === 1) return `${100 * value}\u00a0%`;
  if (Number.isNaN(value)) return "none flagged";
  if (value < 0.00995) return `${Number((100 * value).toPrecision(2))}\u00a0%`;
  return value < 0.9995 ? `${(100 * value).toFixed(1)}\u00a0%` : ">99.9\u00a0%";
}

function countedCurve({ name, rule, cut, hits, alarms, exact, grid }) {
  const cuts = cut.split(" ").map(Number), tp = sums(hits), fp = sums(alarms), side = rule === "≥" ? 1 : -1;
  if (grid) cuts.push(...gridded(grid, side));
  if (cuts.length < tp.length) cuts.push(-side * Infinity);
  const digits = grid ? Number(grid.split(" ")[0]) : 0;
  const pos = tp.at(-1), neg = fp.at(-1);
  const x = fp.map((count) => count / neg), y = tp.map((count) => count / pos);
  const said = (key, place) => (key === "cut" ? `${rule} ${six(cuts[place])}` : rate((key === "tpr" ? y : x)[place]));
  return { name, rule, cuts, tp, fp, pos, neg, x, y, said, exact: Number(exact), digits };
}

function explore(root, curves, choose, pictures) {
  const one = (selector) => root.querySelector(selector), every = (selector) => [...root.querySelectorAll(selector)];
  const ask = Object.fromEntries(every("[data-ask]").map((field) => [field.dataset.ask, field]));
  const kinds = every("[data-value]").map((cell) => cell.dataset.value);
  const tables = root.dataset.limits.split("|").map((both) => both.split(";").map((table) => table.split(",").map(sums)));
  const panel = root.closest(".panel"), drawings = every(".classes");
  // all rows, and each segment that can take their place
  const slices = [root, ...every(".slice")].map((part, i) => {
    const { title = panel.querySelector("h3").textContent, sized } = part.dataset;
    const bars = i ? [...part.children].map((one) => one.dataset) : drawings.map((svg) => (
      { range: svg.dataset.range, bars: [...svg.querySelectorAll(".bars")].map((path) => path.getAttribute("d")).join("|") }));
    const own = i ? bars.map(countedCurve) : [...curves];
    for (const pair of sized.split(" ")) if (pair) own[pair.split(":")[0]].limits = tables[pair.split(":")[1]];
    for (const curve of own) curve.slice = i;
    return { title, bars, curves: own };
  });
  const given = {}; // what was typed for the prevalence and the costs
  let slice = 0, index = 0, place = 0, pins = [], touched = false, waiting = 0;
  let standing = {}; // what each field shows unless someone is typing in it
  let wish = null; // what was typed for the threshold that is shown, until it moves

  const typed = (key) => {
    const text = ask[key].value.replace(/[%\s]/g, "").replace("−", "-");
    return text === "" ? NaN : Number(text);
  };
  const prevalence = ({ pos, neg }) => given.prevalence ?? pos / (pos + neg);
  const costs = () => [given.miss ?? 1, given.alarm ?? 1];
  const share = (part, inside, outside) => (part * inside) / (part * inside + (1 - part) * outside);

  function limitsOf({ tp, fp, limits }, at) {
    if (!limits) return null;
    const [hitsLow, hitsHigh, alarmsLow, alarmsHigh] = limits;
    const least = (count, [ranks, limit]) => (limit[ranks.findLastIndex((rank) => rank <= count)] ?? 0) / 1e5;
    const most = (count, [ranks, limit]) => (limit[ranks.findIndex((rank) => rank > count)] ?? 1e5) / 1e5;
    return [least(tp[at], hitsLow), most(tp[at], hitsHigh), least(fp[at], alarmsLow), most(fp[at], alarmsHigh)];
  }

  // every value falls or rises with each of the two rates, so that corners of their box are its limits
  function figures(curve, at) {
    const part = prevalence(curve), [miss, alarm] = costs();
    const all = (tpr, fpr) => ({
      sensitivity: tpr,
      specificity: 1 - fpr,
      ppv: share(part, tpr, fpr),
      npv: share(1 - part, 1 - fpr, 1 - tpr),
      flagged: 1000 * (part * tpr + (1 - part) * fpr),
      cost: 1000 * (part * (1 - tpr) * miss + (1 - part) * fpr * alarm),
    });
    const box = limitsOf(curve, at), value = all(curve.y[at], curve.x[at]);
    if (!box) return { value };
    const [t0, t1, f0, f1] = box, few = all(t0, f0), much = all(t1, f1), worse = all(t0, f1), better = all(t1, f0);
    const low = { ...worse, flagged: few.flagged, cost: better.cost };
    const high = { ...better, flagged: much.flagged, cost: worse.cost };
    for (const key of ["ppv", "npv"]) {
      if (Number.isNaN(low[key])) low[key] = 0;
      if (Number.isNaN(high[key])) high[key] = 1;
    }
    return { value, low, high };
  }

  const inside = (curve) => (curve.slice ? ` in ${slices[curve.slice].title}` : "");
  const written = (key, value) => (key === "flagged" || key === "cost" ? many(value) : percent(value));

  function cheapest({ x, y, pos, neg }) {
    const part = prevalence({ pos, neg }), [miss, alarm] = costs();
    let best = 0, least = Infinity;
    x.forEach((fpr, at) => {
      const cost = part * (1 - y[at]) * miss + (1 - part) * fpr * alarm;
      if (cost < least) [best, least] = [at, cost];
    });
    return best;
  }

  const beyond = ({ rule, cuts }, cut) => cuts.findLastIndex((one) => (rule === "≥" ? one >= cut : one <= cut));
  const found = {
    cut: (curve, cut) => Math.max(0, beyond(curve, cut)),
    top: ({ tp, fp, pos, neg }, part) => tp.findLastIndex((hits, at) => hits + fp[at] <= ((pos + neg) * part) / 100 + 1e-9),
    find: ({ tp, pos }, part) => tp.findIndex((hits) => hits >= (pos * part) / 100 - 1e-9),
  };

  // what a typed value stands for where thresholds were left out beside the one that is shown
  function instead({ cuts, tp, fp, pos, neg, exact, digits }, at) {
    if (!wish) return "";
    const [key, value, text] = wish, last = cuts.length - 1, flagged = (i) => tp[i] + fp[i];
    if (key === "cut") {
      if (cuts[at] === value || at === last || at + 1 < exact || Number(value.toPrecision(digits || 21)) === value) return "";
      return ` This page has thresholds of up to ${digits} significant digits here: your ${text} flags ${many(flagged(at))} to ${many(flagged(at + 1))} rows.`;
    }
    const met = key === "top" ? flagged(at) === ((pos + neg) * value) / 100 : tp[at] === (pos * value) / 100;
    if (met || (key === "top" ? at === last || at + 1 < exact : at < exact)) return "";
    return ` This page does not keep every threshold here: another one may come nearer to your ${text}\u00a0%.`;
  }

  function show(order, at) {
    [index, place] = [order, at];
    const curve = curves[order], { tp, fp, pos, neg, rule, cuts } = curve, { value, low, high } = figures(curve, at);
    const counts = { in: [tp[at], fp[at]], out: [pos - tp[at], neg - fp[at]], all: [pos, neg] };
    for (const [part, [p, n]] of Object.entries(counts)) {
      for (const [kind, count] of Object.entries({ p, n, a: p + n })) one(`[data-count=${part}-${kind}]`).textContent = many(count);
    }
    for (const key of kinds) {
      one(`[data-value=${key}]`).textContent = written(key, value[key]);
      one(`[data-limit=${key}]`).textContent = low ? `${written(key, low[key])} – ${written(key, high[key])}` : "none";
    }
    one(".said").textContent = `Score ${rule} ${six(cuts[at])} flags ${many(tp[at] + fp[at])} of ${many(pos + neg)} rows${inside(curve)}.${instead(curve, at)}`;
    one(".best").textContent = `Least expected cost: score ${rule} ${six(cuts[cheapest(curve)])}.`;
    standing = {
      cut: Number.isFinite(cuts[at]) ? String(cuts[at]) : "",
      top: String(Number(((100 * (tp[at] + fp[at])) / (pos + neg)).toPrecision(4))),
      find: String(Number((100 * curve.y[at]).toPrecision(4))),
      prevalence: String(Number((100 * prevalence(curve)).toPrecision(4))),
    };
    for (const [key, text] of Object.entries(standing)) if (ask[key] !== document.activeElement) ask[key].value = text;
    for (const svg of drawings) {
      const [from, to] = svg.dataset.range.split(" ").map(Number);
      const [left, width, top, bottom] = svg.dataset.frame.split(" ").map(Number);
      const across = left + width * Math.min(1, Math.max(0, (cuts[at] - from) / (to - from)));
      svg.querySelector(".cut").setAttribute("d", `M${across.toFixed(1)} ${top}V${bottom}`);
    }
    repin();
    if (touched) keep();
  }

  function cell(row, tag, text) {
    row.append(Object.assign(document.createElement(tag), { textContent: text }));
    return row.lastChild;
  }

  function repin() {
    const body = one(".live-part > .scroll tbody");
    body.parentNode.parentNode.hidden = pins.length === 0;
    body.replaceChildren(...pins.map((pin) => {
      const row = document.createElement("tr"), { value } = figures(...pin), { name, said } = pin[0];
      cell(row, "th", `${name} ${said("cut", pin[1])}${inside(pin[0])}`).scope = "row";
      for (const key of kinds) cell(row, "td", written(key, value[key])).className = "figure";
      const remove = document.createElement("button");
      Object.assign(remove, { type: "button", textContent: "Remove" });
      remove.setAttribute("aria-label", `Remove ${row.firstChild.textContent}`);
      remove.addEventListener("click", () => {
        pins = pins.filter((other) => other !== pin);
        moved();
        one("[data-do=pin]").focus();
      });
      cell(row, "td", "").append(remove);
      return row;
    }));
  }

  function keep() {
    clearTimeout(waiting); // browsers refuse many changes of the address at once
    waiting = setTimeout(() => {
      const state = new URLSearchParams({ score: curves[index].name, cut: curves[index].cuts[place], ...given });
      pictures.keep(state);
      if (slice) state.set("segment", slices[slice].title);
      for (const [curve, at] of pins) {
        state.append("pin", `${curve.cuts[at]} ${curve.name}`);
        state.append("of", curve.slice ? slices[curve.slice].title : "");
      }
      history.replaceState(null, "", `#${state}`);
    }, 200);
  }

  // the same threshold, as far as it is kept, of the same score
  function enter(next) {
    slice = chooser.selectedIndex = next;
    const { cuts } = curves[index], { title, bars, curves: own } = slices[slice];
    curves.splice(0, curves.length, ...own);
    place = found.cut(curves[index], cuts[place]);
    panel.querySelector("h3 bdi").textContent = title;
    panel.classList.toggle("sliced", slice > 0);
    drawings.forEach((svg, i) => {
      const { range } = Object.assign(svg.dataset, { range: bars[i].range }), outlines = bars[i].bars.split("|");
      svg.querySelectorAll(".bars").forEach((path, side) => path.setAttribute("d", outlines[side]));
      svg.querySelectorAll(".start, .tick.end").forEach((tick, end) => { tick.textContent = six(Number(range.split(" ")[end])); });
    });
    pictures.draw(slice > 0);
  }

  function moved(at = place, asked = null) {
    touched = true;
    wish = asked;
    choose(index, at);
  }

  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    const sliced = (title) => slices[Math.max(0, slices.findIndex((one, i) => i && one.title === title))].curves;
    const named = (own, name, cut) => {
      const curve = own.find((one) => one.name === name);
      return curve && [curve, found.cut(curve, Number(cut))];
    };
    const start = state.has("cut") && named(sliced(state.get("segment")), state.get("score"), state.get("cut"));
    if (!start) return false;
    for (const key of ["prevalence", "miss", "alarm"]) {
      delete given[key];
      const value = Number(state.get(key) ?? NaN);
      if (value >= 0 && !(key === "prevalence" && value > 1)) given[key] = value;
      if (key !== "prevalence") ask[key].value = given[key] ?? 1;
    }
    const of = state.getAll("of");
    pins = state.getAll("pin").map((pin, i) => named(sliced(of[i]), pin.slice(pin.indexOf(" ") + 1), pin.split(" ")[0])).filter(Boolean);
    enter(start[0].slice);
    pictures.restore(state);
    choose(curves.indexOf(start[0]), start[1]);
    return true;
  }

  for (const [key, field] of Object.entries(ask)) {
    field.addEventListener("input", () => {
      const value = typed(key), at = key in found && !Number.isNaN(value) ? found[key](curves[index], value) : place;
      const most = key === "prevalence" ? 100 : Infinity;
      const wrong = Number.isNaN(value) || at < 0 || (key !== "cut" && (value < 0 || value > most));
      field.setAttribute("aria-invalid", wrong && field.value !== "");
      if (!(key in found)) {
        if (wrong) delete given[key];
        else given[key] = key === "prevalence" ? value / 100 : value;
      }
      if (!wrong || !(key in found)) moved(wrong ? place : at, key in found ? [key, value, field.value.trim()] : null);
    });
    field.addEventListener("change", () => {
      field.setAttribute("aria-invalid", false);
      if (!(key in found)) field.value = key === "prevalence" ? field.value : given[key] ?? 1;
      show(index, place);
      if (key in found && Number.isNaN(typed(key))) field.value = standing[key]; // no number: what is shown
    });
    field.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || !(key in found)) return;
      event.preventDefault();
      moved(Math.min(curves[index].x.length - 1, Math.max(0, place + step)));
      if (key === "cut") field.value = Number.isFinite(curves[index].cuts[place]) ? curves[index].cuts[place] : "";
    });
  }
  one("[data-do=best]").addEventListener("click", () => moved(cheapest(curves[index])));
  one("[data-do=pin]").addEventListener("click", () => {
    if (!pins.some(([curve, at]) => curve === curves[index] && at === place)) pins.push([curves[index], place]);
    moved();
  });
  for (const svg of drawings) {
    const drag = (event) => {
      const [from, to] = svg.dataset.range.split(" ").map(Number), [left, width] = svg.dataset.frame.split(" ").map(Number);
      const x = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse()).x;
      moved(found.cut(curves[index], from + ((x - left) / width) * (to - from)));
    };
    svg.addEventListener("pointerdown", drag);
    svg.addEventListener("pointermove", (event) => event.buttons && drag(event));
  }
  for (const kind of ["input", "pointerdown", "change"]) panel.addEventListener(kind, () => { touched = true; }, true);
  const chooser = Object.assign(document.createElement("select"), { id: `${root.getAttribute("aria-labelledby")}-segment` });
  chooser.append(...slices.map(({ title }) => new Option(title)));
  chooser.addEventListener("change", () => {
    enter(chooser.selectedIndex);
    moved();
  });
  if (slices.length > 1) {
    const line = Object.assign(document.createElement("p"), { className: "switch" });
    line.append(Object.assign(document.createElement("label"), { htmlFor: chooser.id, textContent: "Segment" }), " ", chooser);
    panel.querySelector("figure").prepend(line);
  }
  addEventListener("hashchange", restore);
  one(".live-part").hidden = false;
  const { starts } = root.dataset;
  return { show, restore, moved: () => moved(), first: starts && found.cut(curves[0], Number(starts)) };
}
