import { Type } from 'typebox'
import { nameSchemas } from '../http/schema-names.ts'
import { describeEvent, exactly, Id, orNull, Time } from './event-description.ts'

const Owner = exactly(
  { kind: Type.Enum(['service_account', 'app', 'app_install']), id: Id, name: Type.String() },
  'The owner of the credential: a service account, an app or an install, which has the name of its app',
)

const Credential = exactly({
  id: Id,
  kind: Type.Enum(['api_key', 'client_secret']),
  ends_at: orNull(Time, 'Expiry; null for none'),
})

nameSchemas({ CredentialOwner: Owner, EventCredential: Credential })

const owner = { kind: 'service_account', id: '7f0c3a52-3c1e-4e0b-9d55-0a4f6a1f8e21', name: 'Builds' } as const
const credential = {
  id: 'b9b3a1f4-16a6-4f0e-8f57-2d8f0c5d7a10',
  kind: 'client_secret',
  ends_at: null,
} as const
const replaced = {
  id: '1d2c9f60-9a0e-4a86-b9a0-6f3f1b7f5c33',
  kind: 'client_secret',
  ends_at: '2026-03-02T10:00:00.000Z',
} as const

/** Permissions to read service accounts and apps. Their audit log contains the reports on their credentials. */
const programs = ['org.service_account.read', 'org.app.read'] as const
const reports = [...programs, 'org.audit.read'] as const

/** The life cycle of credentials of an organization's service accounts, apps and installs. */
export const credentialEvents = {
  'credential.created': describeEvent(
    { when: 'a key or client secret was created for a service account, an app or an install', needs: programs },
    { owner: Owner, credential: Credential },
    { owner, credential },
  ),
  'credential.rotated': describeEvent(
    { when: 'client secrets were replaced by a new one', needs: programs },
    {
      owner: Owner,
      credential: Credential,
      replaced: Type.Array(Credential, { description: 'The replaced secrets with their new expiry' }),
    },
    { owner, credential, replaced: [replaced] },
  ),
  'credential.deleted': describeEvent(
    { when: 'keys or client secrets were deleted, alone or with their owner', needs: programs },
    { owner: Owner, credentials: Type.Array(Credential, { minItems: 1 }) },
    { owner, credentials: [credential] },
  ),
  'credential.expiring': describeEvent(
    { when: 'a key or client secret expires soon; once per expiry', needs: programs },
    { owner: Owner, credential: Credential },
    { owner, credential: replaced },
  ),
  'credential.expired': describeEvent(
    { when: 'a key or client secret expired', needs: programs },
    { owner: Owner, credential: Credential },
    { owner, credential: replaced },
  ),
  'credential.exposed': describeEvent(
    { when: 'a leaked credential was reported and revoked', needs: reports },
    {
      owner: Owner,
      credential: exactly({
        id: orNull(Id, 'Null for tokens and codes of user authorizations'),
        kind: Type.Enum(['api_key', 'client_secret', 'access_token', 'refresh_token', 'authorization_code']),
      }),
      report_id: Id,
      reporter: orNull(Type.String(), 'The reporter’s name'),
      found_at: orNull(Type.String(), 'The place of discovery, as reported'),
    },
    {
      owner,
      credential: { id: credential.id, kind: 'client_secret' },
      report_id: '5b8f3a0d-4a70-4a37-8f6d-1de8a4a3d0b1',
      reporter: 'secret scanner',
      found_at: 'https://git.example/team/app/blob/main/.env',
    },
  ),
  'credential.reused': describeEvent(
    { when: 'a refresh token or code was reused, a sign of theft; the session was revoked', needs: reports },
    {
      app: exactly({ id: Id, name: Type.String() }),
      session_id: Id,
      user_id: Id,
    },
    {
      app: { id: '3f6f2b57-8a55-4f0d-9a1c-6f1f1b0f8f02', name: 'Dashboards' },
      session_id: '0e4c1d2b-5a6f-4b7c-8d9e-0f1a2b3c4d5e',
      user_id: '9a8b7c6d-5e4f-4a3b-8c2d-1e0f9a8b7c6d',
    },
  ),
} as const
