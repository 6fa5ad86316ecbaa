/** Preloaded into the sample server: its clock is some days behind, so that it records what was tested then. */
const DAY_MS = 86_400_000
const behindMs = Number(process.env['SAMPLE_DAYS_AGO'] ?? 0) * DAY_MS
const { now } = Date
Date.now = () => now() - behindMs
