import { lookup } from 'node:dns/promises'
import type { Resolve } from './settings.ts'
import { createSlots } from './slots.ts'

// The system's resolver runs on Node's four shared threads, which files need too: names whose servers never answer
// must not take them all.
const LOOKUPS_AT_A_TIME = 2
const lookups = createSlots(LOOKUPS_AT_A_TIME)

/** The system's resolver: /etc/hosts, search domains and all, so that names mean what the operator is used to. */
export const resolveWithSystem: Resolve = (name) =>
  lookups.run('', undefined, () => lookup(name, { all: true, order: 'verbatim' }))
