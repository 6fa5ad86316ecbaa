import type { Command } from 'commander'
import { askWhoAmI, nameOf } from '../client/who-am-i.ts'
import { runOnServer, type ServerOptions, serverCommand } from './server/run-on-server.ts'

export function whoamiCommand(): Command {
  return serverCommand('whoami', ['gatehouse whoami     show the server and the owner of the key']).action(whoami)
}

async function whoami(options: ServerOptions): Promise<void> {
  await runOnServer(options, async ({ server, output, signal }) => {
    const who = await askWhoAmI(server, signal)
    output.sentence({ url: server.url, ...who }, `${nameOf(who)} on ${server.url}`)
  })
}
