export const csv = {
  download: "Download CSV",
  cutOff: "The download was interrupted, and nothing was saved. Try again.",
};
