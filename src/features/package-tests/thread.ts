import { serveTests } from '#scanning/pool/run-thread.ts'
import { writeReport } from './write-report.ts'

serveTests(writeReport)
