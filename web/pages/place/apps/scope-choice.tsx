import { Input, Skeleton, Stack, Text, Title } from '@mantine/core'
import { areasOf, type Permission } from '../../../api/permissions.ts'
import type { Scope } from '../../../api/resources.ts'
import { PermissionArea } from '../../../components/permission-area.tsx'
import { ReadingAlert } from '../../../components/refusal-alert.tsx'
import { useServerMetadata } from './server-metadata.ts'

export const REQUIRED_SCOPE = 'org.read' satisfies Scope

type Granting = Scope & Permission

interface Props {
  readonly value: readonly Scope[]
  readonly onChange: (scopes: Scope[]) => void
  readonly error: string | undefined
}

/** The scopes that the server offers, described as on the consent page; omits those that grant nothing. */
export function ScopeChoice({ value, onChange, error }: Props) {
  const metadata = useServerMetadata()
  if (metadata.isError) return <ReadingAlert title="Could not load the scopes" reading={metadata} />
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h5">
          Scopes
        </Title>
        <Text size="sm" c="dimmed" aria-live="polite">
          {value.length === 1 ? '1 scope' : `${value.length} scopes`} chosen. Users must hold all of these to authorize
          the app; {REQUIRED_SCOPE} is always included.
        </Text>
        {error !== undefined && <Input.Error>{error}</Input.Error>}
      </div>
      {metadata.isPending && <Skeleton height={240} />}
      {areasOf(metadata.data?.scopes_supported ?? []).map((area) => (
        <PermissionArea
          key={area.title}
          area={area}
          chosen={value as readonly Granting[]}
          fixed={REQUIRED_SCOPE}
          onChange={onChange}
        />
      ))}
    </Stack>
  )
}
