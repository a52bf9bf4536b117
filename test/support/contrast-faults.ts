/** Texts that are too pale for their ground (WCAG 2: 4.5 to 1, large ones 3 to 1). Runs in the page. */
export const contrastFaults = String.raw`(() => {
  const partsOf = (color) => {
    const [red, green, blue, alpha = 1] = (color.match(/[\d.]+/g) ?? []).map(Number);
    return { red, green, blue, alpha };
  };
  const over = (top, ground) => {
    const mix = (key) => top[key] * top.alpha + ground[key] * (1 - top.alpha);
    return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha: 1 };
  };
  const light = ({ red, green, blue }) => {
    const [r, g, b] = [red, green, blue].map((one) => { const part = one / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const groundOf = (element) => {
    const layers = [];
    let opacity = 1;
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      opacity *= Number(style.opacity);
      const color = partsOf(style.backgroundColor);
      if (color.alpha > 0) layers.push(color);
      if (color.alpha === 1) break;
    }
    return { opacity, ground: layers.reverse().reduce((ground, layer) => over(layer, ground)) };
  };
  const faults = [];
  for (const element of document.body.querySelectorAll('*')) {
    const isOwn = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue.trim());
    if (!isOwn || !element.checkVisibility({ opacityProperty: true })) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    const { opacity, ground } = groundOf(element);
    const ink = partsOf(color);
    const [high, low] = [light(over({ ...ink, alpha: ink.alpha * opacity }, ground)), light(ground)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const isLarge = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(ratio.toFixed(2) + ': ' + element.textContent.trim().slice(0, 40));
  }
  return [...new Set(faults)].slice(0, 20);
})()`;
