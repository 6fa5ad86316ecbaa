import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string }

export const version = manifest.version

/** The client id of the command line: the same on every server, so that it needs no registration. */
export const commandLineClientId = 'a3c1f0de-7b52-4f6e-9c0d-5e2b8d914c77'

/**
 * Scopes that a browser login of the command line requests; a user can grant only permissions that they have.
 * Credentials are managed with an API key.
 */
const reading = ['org.read', 'org.project.read', 'org.project.snapshot.read', 'org.project.ignore.read'] as const
const working = [...reading, 'org.project.delete', 'org.project.ignore.create', 'org.package.test'] as const
export const commandLineScopes = { read: reading, work: working, import: [...working, 'org.edit'] } as const
