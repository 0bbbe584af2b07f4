export const labels = {
  edit: "Assign labels",
  title: (code: string) => `Labels of ${code}`,
  says: "Assigned labels win over those that agents report. They choose approval policies, rollouts and schedules, and only owners change them.",
  assigned: "Assigned labels",
  hint: "One in each line, such as env=prod.",
  reported: "Reported labels",
  overridden: "Overridden labels",
  ignored: "Ignored labels",
  notALabel: (line: string) => `Write ${line} as a label, such as env=prod.`,
  saved: (code: string) => `The labels of ${code} were saved.`,
};
