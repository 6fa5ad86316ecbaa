import { writeFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import type { Engine } from '#foundation/db/database.ts'
import { availableEngines } from '#test/servers/postgres.ts'
import { createTemplate, dropTemplate, type Template } from '#test/servers/templates.ts'
// Loads the server, so that the compile cache has all of it.
import '#test/servers/app.ts'

/** Makes the templates of a run, writes them to the given file, and removes them when its standard input ends. */
const [file] = process.argv.slice(2)
const templates = new Map<Engine, Template>()
for (const engine of availableEngines) templates.set(engine, await createTemplate(engine))
writeFileSync(file!, JSON.stringify(Object.fromEntries(templates)))
// In a new clone, each process that starts after this one would otherwise compile the server for itself.
flushCompileCache()
console.log('made')
for await (const _ of process.stdin) void _
for (const template of templates.values()) await dropTemplate(template)
