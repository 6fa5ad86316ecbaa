import { PasswordInput, Radio, Stack, TextInput } from '@mantine/core'
import type { Credentials } from '../../../api/resources.ts'
import { faultOf } from '../../../components/refusal-alert.tsx'
import { textField } from '../../../ui/text-field.ts'
import type { KindDescription } from './kinds.ts'

export interface CredentialsWanted {
  readonly form: 'none' | 'token' | 'login'
  readonly token: string
  readonly username: string
  readonly password: string
}

export const noCredentials: CredentialsWanted = { form: 'none', token: '', username: '', password: '' }

/** Returns the entered credentials; undefined for none. */
export function toCredentials({ form, token, username, password }: CredentialsWanted): Credentials | undefined {
  if (form === 'none') return undefined
  return form === 'token' ? { token } : { username, password }
}

const labels = { none: 'None: public repositories only', token: 'A token', login: 'User name and password' }

interface Props {
  readonly kind: KindDescription
  readonly credentials: CredentialsWanted
  readonly onChange: (part: Partial<CredentialsWanted>) => void
  readonly error: Error | null
}

export function CredentialFields({ kind, credentials, onChange, error }: Props) {
  if (kind.credentials.length === 0) return null
  return (
    <>
      <Radio.Group
        label="Credentials"
        description="Stored encrypted; never shown again"
        value={credentials.form}
        onChange={(form) => onChange({ form: form as CredentialsWanted['form'] })}
        error={faultOf(error, 'credentials')}
      >
        <Stack gap="xs" mt="xs">
          {(['none', ...kind.credentials] as const).map((form) => (
            <Radio key={form} value={form} label={labels[form]} />
          ))}
        </Stack>
      </Radio.Group>
      {credentials.form === 'login' && (
        <TextInput
          label="User name"
          {...textField(credentials.username, (username) => onChange({ username }), faultOf(error, 'username'))}
          autoComplete="off"
          spellCheck={false}
          required
        />
      )}
      {credentials.form !== 'none' && (
        <PasswordInput
          key={credentials.form}
          label={credentials.form === 'token' ? 'Token' : 'Password'}
          value={credentials.form === 'token' ? credentials.token : credentials.password}
          onChange={(event) =>
            onChange(
              credentials.form === 'token'
                ? { token: event.currentTarget.value }
                : { password: event.currentTarget.value },
            )
          }
          error={faultOf(error, credentials.form === 'token' ? 'token' : 'password')}
          autoComplete="new-password"
          spellCheck={false}
          required
        />
      )}
    </>
  )
}
