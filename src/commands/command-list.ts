import type { Listed } from './completion/listed-command.ts'

export const commands: readonly Listed[] = [
  {
    name: 'test',
    summary: 'Test the projects in a folder, on a server or on this machine',
    load: async () => (await import('./test.ts')).testCommand(),
  },
  {
    name: 'fix',
    summary: 'Apply the upgrades that fix issues to the manifests in a folder',
    load: async () => (await import('./fix.ts')).fixCommand(),
  },
  {
    name: 'login',
    summary: 'Sign in to a server with the browser or a key',
    load: async () => (await import('./login.ts')).loginCommand(),
  },
  {
    name: 'logout',
    summary: 'Revoke the browser login, or remove the stored key',
    load: async () => (await import('./logout.ts')).logoutCommand(),
  },
  {
    name: 'whoami',
    summary: 'Show the server and the owner of the key',
    load: async () => (await import('./whoami.ts')).whoamiCommand(),
  },
  {
    name: 'profiles',
    summary: 'List the stored servers and choose one',
    load: async () => (await import('./profiles.ts')).profilesCommand(),
  },
  {
    name: 'monitor',
    summary: 'Store the projects of a folder on the server',
    load: async () => (await import('./server/monitor.ts')).monitorCommand(),
  },
  {
    name: 'import',
    summary: 'Import a repository and wait for its projects',
    load: async () => (await import('./server/import.ts')).importCommand(),
  },
  {
    name: 'projects',
    summary: 'List, show and delete projects',
    load: async () => (await import('./server/projects.ts')).projectsCommand(),
  },
  {
    name: 'issues',
    summary: 'List issues by id, package and severity',
    load: async () => (await import('./server/issues.ts')).issuesCommand(),
  },
  {
    name: 'ignore',
    summary: 'Ignore an issue on the server or in a file',
    load: async () => (await import('./server/ignore.ts')).ignoreCommand(),
  },
  {
    name: 'sbom',
    summary: 'Write the bill of materials of a project',
    load: async () => (await import('./server/sbom.ts')).sbomCommand(),
  },
  {
    name: 'apps',
    summary: 'List, register and delete apps, and rotate their secrets',
    load: async () => (await import('./server/apps.ts')).appsCommand(),
  },
  {
    name: 'service-accounts',
    summary: 'List, create, rotate and delete service accounts',
    load: async () => (await import('./server/service-accounts.ts')).serviceAccountsCommand(),
  },
  {
    name: 'keys',
    summary: 'List, create and revoke API keys',
    load: async () => (await import('./server/keys.ts')).keysCommand(),
  },
  {
    name: 'completion',
    summary: 'Write a completion script for bash, zsh or fish',
    load: async () => (await import('./completion.ts')).completionCommand(commands),
  },
  { name: 'serve', summary: 'Run the server', load: async () => (await import('./serve.ts')).serveCommand() },
  {
    name: 'migrate',
    summary: 'Migrate the database schema and exit',
    load: async () => (await import('./migrate.ts')).migrateCommand(),
  },
  {
    name: 'doctor',
    summary: 'Check configuration, storage, keys, clock, git and access to registries',
    load: async () => (await import('./doctor/doctor.ts')).doctorCommand(),
  },
  {
    name: 'backup',
    summary: 'Back up the database to a file, also while servers run',
    load: async () => (await import('./backup/backup.ts')).backupCommand(),
  },
  {
    name: 'restore',
    summary: 'Restore a backup into an empty data folder or PostgreSQL database',
    load: async () => (await import('./backup/restore.ts')).restoreCommand(),
  },
  {
    name: 'secret-key',
    summary: 'Rotate the secret key without downtime',
    load: async () => (await import('./secret-key.ts')).secretKeyCommand(),
  },
  {
    name: 'advisories',
    summary: 'Sync the vulnerability advisories and show their age',
    load: async () => (await import('./advisories.ts')).advisoriesCommand(),
  },
  {
    name: 'credentials',
    summary: 'Identify leaked credentials',
    load: async () => (await import('./credentials.ts')).credentialsCommand(),
  },
  {
    name: 'admin',
    summary: 'Manage users, groups and apps on the machine of the server',
    load: async () => (await import('./admin.ts')).adminCommand(),
  },
]
