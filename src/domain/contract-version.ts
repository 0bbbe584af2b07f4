// The version of the wire format, in the OpenAPI document and in diagnostics.

export const contractVersion = "0.4.0";
