import { type Command, Option } from 'commander'
import { chooseConnection } from '../../client/connection.ts'
import { ClientFailure } from '../../client/failure.ts'
import { type OpenServer, openServer } from '../../client/open-server.ts'
import { readProfile } from '../../client/profile.ts'

/** Options of every command that talks to a server. */
export interface ConnectOptions {
  readonly profile?: string
  readonly org?: string
  readonly insecureHttp?: true
}

export function withConnectOptions(command: Command): Command {
  return command
    .option('--profile <name>', 'server and credential of a profile, instead of the current one')
    .option('--org <id>', 'organization, by id or slug, instead of GATEHOUSE_ORG')
    .option('--insecure-http', 'send the credential over http without encryption')
}

/** Adds `--local` and `--offline`, which use no server, so that server options with them are refused. */
export function withLocalOption(command: Command): Command {
  const ofServers = ['profile', 'org', 'insecureHttp']
  return command
    .addOption(
      new Option(
        '--local',
        'test on this machine, without a server; see "gatehouse advisories sync --local"',
      ).conflicts(ofServers),
    )
    .addOption(
      new Option('--offline', 'like --local, with cached answers of registries only')
        .implies({ local: true })
        .conflicts(ofServers),
    )
}

/** Opens the server of the environment or of a profile. Throws `ClientFailure`. */
export function connect(
  { profile, org, insecureHttp }: ConnectOptions,
  { hasLocal = false }: { hasLocal?: boolean } = {},
): OpenServer {
  const { GATEHOUSE_URL: url, GATEHOUSE_KEY: key } = process.env
  if (profile !== undefined && (url || key)) {
    throw new ClientFailure('GATEHOUSE_URL and GATEHOUSE_KEY take precedence over --profile. Unset them to use it.')
  }
  const stored = url && key ? undefined : readProfile(process.env, profile)
  const connection = chooseConnection(process.env, {
    profile: stored,
    org,
    isInsecure: insecureHttp === true,
    hasLocal,
  })
  return openServer(connection, process.env)
}
