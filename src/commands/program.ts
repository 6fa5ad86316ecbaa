import { Command } from 'commander'
import { version } from '#foundation/product.ts'
import { adminCommand } from './admin.ts'
import { advisoriesCommand } from './advisories.ts'
import { backupCommand } from './backup.ts'
import { credentialsCommand } from './credentials.ts'
import { describeFailure } from './failures.ts'
import { migrateCommand } from './migrate.ts'
import { serveCommand } from './serve.ts'

export async function runProgram(argv: readonly string[]): Promise<void> {
  const program = new Command('gatehouse')
    .description('A self-hosted gate: which programs may act on an account, which packages may enter the code')
    .version(version)
    .showHelpAfterError()
  const operations = [migrateCommand(), backupCommand(), advisoriesCommand(), credentialsCommand(), adminCommand()]
  for (const command of [serveCommand(), ...operations]) program.addCommand(command)
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** What an operator can mend is said in a sentence; anything else keeps its stack. */
function report(error: unknown): number {
  const failure = describeFailure(error)
  console.error(failure?.sentence ?? error)
  return failure?.exitCode ?? 1
}
