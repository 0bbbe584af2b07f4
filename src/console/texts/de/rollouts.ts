import type { Amount } from "../amounts.ts";
import type { Texts } from "../index.ts";
import { count, plural } from "./amounts.ts";

const services = (many: Amount) => plural(many, { one: "# Dienst", other: "# Dienste" });
const onServices = (many: Amount) => plural(many, { one: "auf # Dienst", other: "auf # Diensten" });

export const rollouts: Texts["rollouts"] = {
  start: "Rollout starten",
  onThese: (many) =>
    plural(many, {
      one: "Aktion auf diesem Dienst ausführen",
      other: "Aktion auf diesen # Diensten ausführen",
      bound: "Aktion auf diesen Diensten ausführen",
    }),
  title: (action, total) => `${action} ${onServices(total)}`,

  now: {
    title: "Status",
    running: (wave, of) => (of === 1 ? "Das Rollout läuft." : `Welle ${wave} von ${of} läuft.`),
    betweenWaves: (wave, next) => `Welle ${wave} ist beendet. Welle ${next} beginnt von selbst.`,
    paused:
      "Ein Operator hat das Rollout angehalten. Es erstellt keine weiteren Befehle, bis es fortgesetzt wird.",
    needsApproval:
      "Das Rollout wurde angehalten: Für die übrigen Dienste verlangen Richtlinien eine Freigabe.",
    waveEnded: (wave, of) => `Welle ${wave} von ${of} ist beendet.`,
    allSucceeded: (total) =>
      plural(total, {
        one: "Der Dienst war erfolgreich.",
        other: "Alle # Dienste waren erfolgreich.",
      }),
    over: "Alle Wellen sind beendet.",
    tooMany: (failed, tolerated) =>
      `Das Rollout wurde gestoppt: ${plural(failed, {
        one: "# Dienst ist fehlgeschlagen",
        other: "# Dienste sind fehlgeschlagen",
      })}, toleriert: ${count(tolerated)}.`,
    deadline:
      "Das Rollout wurde gestoppt: Seine Frist war abgelaufen, bevor alle Dienste erfolgreich waren.",
    awaiting:
      "Das Rollout beginnt, wenn es freigegeben ist. Die Liste seiner Dienste ändert sich nicht mehr.",
    notApproved: "Das Rollout wurde nicht freigegeben. Es läuft auf keinen weiteren Diensten.",
    cancelled: "Ein Operator hat das Rollout abgebrochen.",
    failed: (many) =>
      plural(many, {
        one: "# Dienst ist fehlgeschlagen.",
        other: "# Dienste sind fehlgeschlagen.",
      }),
    notRun: (many) =>
      plural(many, {
        one: "Auf # Dienst wurde nichts ausgeführt.",
        other: "Auf # Diensten wurde nichts ausgeführt.",
      }),
    open: (many) =>
      plural(many, {
        one: "# Befehl ist noch nicht beendet. Sein Ergebnis wird noch erfasst.",
        other: "# Befehle sind noch nicht beendet. Ihre Ergebnisse werden noch erfasst.",
      }),
    resume: "Setzen Sie es fort, oder brechen Sie es ab.",
    ask: "Setzen Sie es fort, um die Freigabe anzufragen, oder brechen Sie es ab.",
    nextWave: (wave) =>
      `Prüfen Sie die Dienste, die schon dran waren. Setzen Sie das Rollout dann mit Welle ${wave} fort, oder brechen Sie es ab.`,
    retry:
      "Suchen Sie in den Fehlern unten nach der Ursache, und beheben Sie sie. Wiederholen Sie dann das Rollout.",
    retryRest: "Wiederholen Sie das Rollout für die Dienste, die noch nicht erfolgreich waren.",
    since: {
      asked: "Angefragt",
      created: "Begonnen",
      paused: "Angehalten",
      resumed: "Fortgesetzt",
      other: "Beendet",
    },
    by: (who) => `von ${who}`,
    nextWaveAt: "Nächste Welle",
    deadlineAt: "Frist",
  },

  waves: {
    title: "Wellen",
    one: (wave) => `Welle ${wave}`,
    current: "aktuell",
    services,
  },

  counts: {
    FAILED: (many) => `${count(many)} fehlgeschlagen`,
    RUNNING: (many) => `${count(many)} in Ausführung`,
    CHECKING: (many) => `${count(many)} noch nicht HEALTHY`,
    NOT_RUN: (many) => `${count(many)} nicht ausgeführt`,
    WAITING: (many) => `${count(many)} wartend`,
    SUCCEEDED: (many) => `${count(many)} erfolgreich`,
  },

  targets: {
    title: "Dienste",
    legend: "Nach Status filtern",
    shown: (shown, total) =>
      `${count(shown)} von ${plural(total, { one: "# Dienst", other: "# Diensten" })}`,
    keys: "Mit den Pfeiltasten wechseln Sie zwischen Diensten. Die Eingabetaste öffnet den Befehl, oder den Dienst, wenn es keinen Befehl gibt.",
    reading: (read, total) => `Dienste werden gelesen: ${count(read)} von ${count(total)} …`,
    none: "Keine Dienste passen zu diesen Filtern.",
    cell: (code, state, error) => `${code}: ${state}${error ? `, ${error}` : ""}`,
    list: "Dienste, fehlgeschlagene zuerst",
    wave: "Welle",
    error: "Fehler",
    command: "Befehl",
    ended: "Beendet",
    more: (many) => `${count(many)} weitere anzeigen`,
  },

  rules: {
    title: "Regeln",
    selector: "Selektor",
    everything: "alle Dienste",
    waves: "Wellen",
    maxParallel: "Dienste gleichzeitig",
    maxFailures: "Tolerierte Fehlschläge",
    between: "Zwischen den Wellen",
    betweens: { continue: "Weiter", pause: "Anhalten" },
    wait: (time) => `${time} warten`,
    offline: "Agenten, die offline sind",
    offlines: {
      skip: "Ihre Dienste auslassen",
      wait: "Auf sie warten",
      fail: "Ihre Dienste als fehlgeschlagen zählen",
    },
    health: "Zustand",
    healthy: (time) => `HEALTHY innerhalb von ${time}`,
    unchecked: "Wird nicht geprüft",
    condition: "Bedingung",
    ifUnchanged: "Nur bei unverändertem Zustand",
    by: "Gestartet von",
    ended: "Beendet",
    retryOf: "Wiederholung von",
    approval: "Freigabe",
    schedule: "Zeitplan",
  },

  withheld: "Geheimnisse werden nicht angezeigt. Der Server löscht sie, wenn das Rollout endet.",
  cancelCommands: (open) =>
    plural(open, {
      one: "Auch # laufenden Befehl abbrechen",
      other: "Auch # laufende Befehle abbrechen",
    }),

  retry: {
    verb: "Wiederholen",
    title: (rollout) => `Wiederholen: ${rollout}`,
    what: "Ein neues Rollout beginnt, mit demselben Payload und denselben Regeln.",
    which: "Dienste",
    failed: (many) =>
      plural(many, {
        one: "Nur der # fehlgeschlagene Dienst",
        other: "Nur die # fehlgeschlagenen Dienste",
      }),
    rest: (many) =>
      plural(many, {
        one: "Auch der # Dienst, auf dem nichts ausgeführt wurde",
        other: "Auch die # Dienste, auf denen nichts ausgeführt wurde",
      }),
    prepares:
      "Dieses Rollout läuft nur bei unverändertem Zustand. So bereiten Sie seine Dienste neu vor und wiederholen es:",
  },

  form: {
    title: "Rollout starten",
    lead: "Ein Rollout führt eine Aktion in Wellen auf vielen Diensten aus und stoppt, wenn zu viele fehlschlagen.",
    choice: "Dienste",
    found: (many) =>
      plural(many, { one: "# von Ihnen gewählter Dienst", other: "# von Ihnen gewählte Dienste" }),
    foundHint: "Später gemeldete Dienste gehören nicht dazu.",
    chooseOthers: "Andere Dienste wählen",
    selector: "Selektor",
    selectorHint: "Labels, zum Beispiel region=eu,tier in (web,api),!canary.",
    status: "Status",
    services: "Codes der Dienste",
    agents: "Codes der Agenten",
    codesHint: "Durch Kommas getrennt.",
    all: "Alle Dienste",
    work: "Aktion",
    action: "Aktion",
    actionHint:
      "Eine Aktion, die die gewählten Dienste deklarieren. Andere Dienste werden ausgelassen.",
    chooseFirst: "Wählen Sie eine Aktion, um ihren Payload einzugeben.",
    name: "Name",
    nameHint: "Wozu das Rollout dient.",
    rules: "Regeln",
    waves: "Wellen",
    wavesHint:
      "Wie viele Dienste nach jeder Welle erledigt sind, als Zahlen oder Prozentsätze, zum Beispiel 1, 10%. Die letzte Welle umfasst den Rest.",
    maxParallel: "Dienste gleichzeitig",
    maxFailures: "Tolerierte Fehlschläge",
    maxFailuresHint:
      "Eine Zahl oder ein Prozentsatz, zum Beispiel 5%. Bei mehr Fehlschlägen stoppt das Rollout.",
    between: "Zwischen den Wellen",
    betweens: { continue: "Weiter", pause: "Anhalten bis zum Fortsetzen", wait: "Warten" },
    waitSeconds: "Wartezeit in Sekunden",
    offline: "Dienste, deren Agent offline ist",
    offlines: {
      skip: "Auslassen",
      wait: "Auf ihre Agenten warten",
      fail: "Als fehlgeschlagen zählen",
    },
    healthGate: "Jeder Dienst muss nach seinem Befehl HEALTHY sein",
    healthTimeoutSeconds: "Sekunden, um HEALTHY zu werden",
    deadlineMinutes: "Frist in Minuten",
    deadlineHint:
      "Wenn das Rollout bis dahin nicht erfolgreich ist, stoppt es. Leer für keine Frist.",
    wholeNumber: "Geben Sie eine ganze Zahl ein.",
    fix: "Einige Felder sind fehlerhaft. Korrigieren Sie sie zuerst.",
    preview: "Vorschau",
  },

  preview: {
    title: "Vorschau",
    summary: (total, waves) =>
      waves <= 1 ? `${services(total)}.` : `${services(total)} in ${count(waves)} Wellen.`,
    stops: (tolerated) =>
      tolerated === 0
        ? "Das Rollout stoppt beim ersten Fehlschlag."
        : plural(tolerated, {
            one: "Das Rollout stoppt nach mehr als # Fehlschlag.",
            other: "Das Rollout stoppt nach mehr als # Fehlschlägen.",
          }),
    none: "Das Rollout würde auf keinem Dienst laufen. Ändern Sie die Auswahl der Dienste, die Aktion oder den Payload.",
    wave: "Welle",
    count: "Dienste",
    codes: "Codes",
    leftOut: (many) => `Ausgelassen (${count(many)})`,
    why: "Grund",
    onlyFirst: (shown, all) => `Die ersten ${count(shown)} von ${count(all)} werden angezeigt.`,
    start: (action, total) => `${action} ${onServices(total)} ausführen`,
  },

  confirm: {
    title: (action, total) => `${action} ${onServices(total)} ausführen?`,
    inWaves: (waves, first) =>
      waves <= 1
        ? "Alle Dienste laufen in einer Welle."
        : `Die erste von ${count(waves)} Wellen hat ${services(first)}.`,
    asks: "Diese Aktion verlangt auf mindestens einem der Dienste eine Bestätigung. Sie lässt sich möglicherweise nicht rückgängig machen.",
    word: (total) => `Geben Sie zur Bestätigung die Anzahl der Dienste ein: ${count(total)}`,
    verb: "Rollout starten",
  },
};
