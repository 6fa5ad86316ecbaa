import { Command } from 'commander'
import { WrongSecretKey } from '#features/setup/first-start.ts'
import { ConfigFaults } from '#foundation/config.ts'
import { DataDirInUse } from '#foundation/db/data-dir.ts'
import { version } from '#foundation/product.ts'
import { adminCommand } from './admin.ts'
import { advisoriesCommand } from './advisories.ts'
import { credentialsCommand } from './credentials.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'

/** Exit codes of sysexits.h: the configuration is at fault; what is needed is in use or out of reach. */
const EXIT_CONFIG = 78
const EXIT_UNAVAILABLE = 69

export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = new Command('gatehouse')
    .description('A self-hosted gate: which programs may act on an account, which packages may enter the code')
    .version(version)
    .showHelpAfterError()
  for (const command of [serveCommand(), migrateCommand(), advisoriesCommand(), credentialsCommand(), adminCommand()])
    program.addCommand(command)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** What an operator can mend is said in a sentence; anything else keeps its stack. */
function report(error: unknown): number {
  if (error instanceof ConfigFaults || error instanceof WrongSecretKey) {
    console.error(error.message)
    return EXIT_CONFIG
  }
  if (error instanceof DataDirInUse) {
    console.error(error.message)
    return EXIT_UNAVAILABLE
  }
  console.error(isConnectionFailure(error) ? `The database cannot be reached: ${error.message}` : error)
  return isConnectionFailure(error) ? EXIT_UNAVAILABLE : 1
}

function isConnectionFailure(error: unknown): error is Error {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined
  return code !== undefined && /^(ECONN|ENOTFOUND|ETIMEDOUT|28|3D|57P)/.test(code)
}
