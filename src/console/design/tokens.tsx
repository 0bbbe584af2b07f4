// The colours, the font sizes and the spacing.

const colours = {
  Surfaces: ["canvas", "surface", "overlay", "field", "hover", "selected"],
  Lines: ["border", "border-control", "border-strong"],
  Controls: ["accent", "accent-fill", "danger-fill"],
  States: ["good", "bad", "warn", "info", "idle", "unsure"],
  Text: ["text", "muted"],
};

const types = [28, 20, 16, 14, 13, 12];
const spaces = [1, 2, 3, 4, 5, 6];

export function Tokens() {
  return (
    <>
      <h2>Colours</h2>
      {Object.entries(colours).map(([title, names]) => (
        <div key={title} className="row">
          <h3 className="design-name">{title}</h3>
          {names.map((name) => (
            <span key={name} className="row small">
              <span className="design-swatch" style={{ background: `var(--${name})` }} />
              {name}
            </span>
          ))}
        </div>
      ))}
      <h2>Type</h2>
      {types.map((size) => (
        <div key={size} style={{ fontSize: `var(--type-${size})` }}>
          {size} pixels: 37 of 2,001 services
        </div>
      ))}
      <h2>Distances</h2>
      <div className="row">
        {spaces.map((step) => (
          <span
            key={step}
            className="design-space"
            style={{ width: `var(--space-${step})`, height: `var(--space-${step})` }}
          />
        ))}
      </div>
    </>
  );
}
