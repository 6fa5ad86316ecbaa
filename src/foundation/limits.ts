/** Limits that no installation needs to change, beside the settings in the configuration. Tests lower them. */
export const limits = {
  /** More processes serve more requests; PostgreSQL accepts 100 connections by default. */
  databaseConnections: 10,
  signingKeyDays: 90,
  /** Memory for bodies that are arriving, and for answers that clients have not read, in all and of one client. */
  bodiesMb: 128,
  bodiesPerClientMb: 64,
  answersMb: 64,
  answersPerClientMb: 32,
  /** A client that reads nothing for so long is disconnected. */
  answerSilenceSeconds: 20,
  bodySeconds: 60,
  singleSignOnCheckMinutes: 15,
  passwordResetMinutes: 60,
  /** Kubernetes kills a pod 30 seconds after it asked it to stop. */
  shutdownSeconds: 30,
  /** PostgreSQL notifies at once; the poll covers SQLite and lost notifications. */
  advisoriesPollSeconds: 1,
  /** Time to wait for a thread, and again for registries. */
  testWaitSeconds: 60,
  /** Waiting tests of an organization; four times as many in all. */
  testQueue: 250,
  /** Share of the threads that imports and retests use, so that requests find the others free. */
  backgroundPercent: 50,
  registryCacheMb: 512,
  registryMaxAgeMinutes: 60,
  expiryNoticeDays: 7,
  webhookLogDays: 30,
  importsPerProcess: 4,
  importsPerOrg: 3,
  importManifests: 5000,
  /** Backups up to this age can be restored with their archives. */
  objectKeepDays: 7,
  /** The program on the search path. */
  git: 'git',
  importFiles: 2_000_000,
  /** Time for each step: finding, fetching, listing. */
  importSeconds: 300,
  /** Limits of git, per import and in all. */
  importMemoryMb: 512,
  gitMemoryMb: 1024,
  importReceivedMb: 2048,
  gitReceivedMb: 6144,
  /** A server may send progress without content for so long. */
  importIdleSeconds: 120,
  importMinutes: 60,
  /** An import request waits so long for the check that the repository exists; 0 leaves it to the import. */
  importCheckSeconds: 5,
  importKeepDays: 90,
  /** Clients of a process that follow imports; half of them per organization. */
  importStreams: 100,
}

/** Limits in proportion to a setting. */
export function scaledLimits(set: { testSeconds: number; archiveMb: number; importDiskMb: number }) {
  return {
    /** Time of a test for verifying upgrades and fetching licenses; 0 disables both. */
    searchSeconds: set.testSeconds / 6,
    /** Size of all archives of an organization. */
    archivesMb: set.archiveMb * 16,
    /** Disk of all imports of a process; the oldest may always use its own limit. */
    gitDiskMb: set.importDiskMb * 3,
  }
}

export type Limits = Readonly<typeof limits & ReturnType<typeof scaledLimits>>
