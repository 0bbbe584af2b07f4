// The version of the wire format, in the OpenAPI document and in diagnostics.

/** The version, according to semantic versioning. */
export const contractVersion = "0.4.0";
