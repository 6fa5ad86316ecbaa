/** The beginning of a lock in the experimental form of pnpm 12 (version 13), which looks like JSON. */
export const JSON_LOCK = /^\uFEFF?\s*\{\s*"lockfileVersion":\s*"([^"]*)"/
