import { Type } from 'typebox'
import { describeEvent, exactly, Id, orNull, Time } from './event-description.ts'

const Owner = exactly(
  { kind: Type.Enum(['service_account', 'app', 'app_install']), id: Id, name: Type.String() },
  'The program of the organisation that the credential belongs to; an install has the name of its app',
)

const Credential = exactly({
  id: Id,
  kind: Type.Enum(['api_key', 'client_secret']),
  ends_at: orNull(Time, 'When it ends by itself; null for never'),
})

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

/** The life cycle of what the organisation's programs prove themselves with. */
export const credentialEvents = {
  'credential.created': describeEvent(
    'a key or client secret was made for a service account, an app or an install',
    { owner: Owner, credential: Credential },
    { owner, credential },
  ),
  'credential.rotated': describeEvent(
    'client secrets were replaced by a new one',
    {
      owner: Owner,
      credential: Credential,
      replaced: Type.Array(Credential, { description: 'Those before it, with the end that the replacement gave them' }),
    },
    { owner, credential, replaced: [replaced] },
  ),
  'credential.deleted': describeEvent(
    'keys or client secrets were deleted, by themselves or with their owner',
    { owner: Owner, credentials: Type.Array(Credential, { minItems: 1 }) },
    { owner, credentials: [credential] },
  ),
  'credential.expiring': describeEvent(
    'a key or client secret is about to end by itself; once for each end that it is given',
    { owner: Owner, credential: Credential },
    { owner, credential: replaced },
  ),
  'credential.expired': describeEvent(
    'a key or client secret has ended by itself',
    { owner: Owner, credential: Credential },
    { owner, credential: replaced },
  ),
  'credential.exposed': describeEvent(
    'somebody reported that a credential was found where it should not be; it was revoked at once',
    {
      owner: Owner,
      credential: exactly({
        id: orNull(Id, 'Null for tokens and codes that people gave an app'),
        kind: Type.Enum(['api_key', 'client_secret', 'access_token', 'refresh_token', 'authorization_code']),
      }),
      report_id: Id,
      reporter: orNull(Type.String(), 'Who reported it, in their own words'),
      found_at: orNull(Type.String(), 'Where it was found, in the reporter’s words'),
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
    'a refresh token or code of an app was used a second time: one of the two users had stolen it, and the session was ended',
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
