import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { testIntegration } from '../../../api/integrations.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { CheckIcon, ErrorIcon } from '../../../ui/icons.tsx'
import { Section } from '../../../ui/section.tsx'
import { SubmitForm } from '../../../ui/submit-form.tsx'
import { kinds } from './kinds.ts'
import type { OfIntegration } from './of-integration.ts'
import { type Target, TargetFields, toTarget } from './target-fields.tsx'

export function Connection({ orgId, integration }: OfIntegration) {
  const [target, setTarget] = useState<Target>({})
  const testing = useMutation({ mutationFn: () => testIntegration(orgId, integration.id, toTarget(target)) })
  const fields = kinds[integration.attributes.kind].target

  return (
    <Section title="Connection">
      <SubmitForm onSubmit={() => testing.mutate()}>
        <Stack>
          <Text>
            Checks that the source is reachable and accepts the credentials, and that a given repository is readable.
          </Text>
          <SimpleGrid cols={{ base: 1, sm: fields.length }} spacing="sm">
            <TargetFields fields={fields} target={target} onChange={setTarget} error={testing.error} isOptional />
          </SimpleGrid>
          <Group>
            <Button type="submit" variant="default" loading={testing.isPending}>
              Test connection
            </Button>
          </Group>
        </Stack>
      </SubmitForm>
      {testing.error && <RefusalAlert title="Not tested" error={testing.error} />}
      {testing.data && <Outcome key={testing.submittedAt} {...testing.data} />}
    </Section>
  )
}

type Tested = Awaited<ReturnType<typeof testIntegration>>

function Outcome({ ok, message, reference, revision, is_private }: Tested) {
  return (
    <Alert
      color={ok ? 'green' : 'red'}
      icon={ok ? <CheckIcon /> : <ErrorIcon />}
      title={ok ? 'Connection successful' : 'Connection failed'}
      role="status"
    >
      <Text size="sm" className="breakable">
        {message}
        {reference && `, branch ${reference}`}
        {revision && ` (${revision.slice(0, 10)})`}
        {is_private && '; private'}
      </Text>
    </Alert>
  )
}
