/** The name of the lock that pnpm writes on a git branch with the setting `gitBranchLockfile`. */
export const BRANCH_LOCK = /^pnpm-lock\..+\.yaml$/
