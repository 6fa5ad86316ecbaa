import { unknownSettings, weakServices } from './files.ts'
import { checkImage } from './image-check.ts'
import { buildPackage, checkGlobalInstall, checkNpx, checkTarball } from './package-checks.ts'
import { printRows } from './row.ts'
import { checkAlerts, checkChart, checkCompose, checkUnit } from './tool-checks.ts'

/** Tries every way to install the server as far as this machine allows, and prints what it could not run. */
if (import.meta.main) await check()

async function check(): Promise<void> {
  using built = await buildPackage()
  const rows = [
    checkTarball(built),
    await checkGlobalInstall(built),
    await checkNpx(built),
    await checkImage(built),
    checkCompose([...unknownSettings(), ...weakServices()]),
    checkChart(),
    checkUnit(),
    checkAlerts(),
  ]
  printRows(rows)
  if (rows.some(({ outcome }) => outcome === 'failed')) process.exitCode = 1
}
