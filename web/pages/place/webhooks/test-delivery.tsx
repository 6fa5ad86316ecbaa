import { Alert, Button, Code, Group, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { callData } from '../../../api/client.ts'
import type { DeliveryWithPayload } from '../../../api/resources.ts'
import { RefusalAlert } from '../../../components/refusal-alert.tsx'
import { CheckIcon, ErrorIcon } from '../../../ui/icons.tsx'
import { Section } from '../../../ui/section.tsx'
import type { OfWebhook } from './of-webhook.ts'

export function TestDelivery({ orgId, webhook }: OfWebhook) {
  const queries = useQueryClient()
  const testing = useMutation({
    mutationFn: () => callData('testWebhook', { params: { org_id: orgId, webhook_id: webhook.id } }),
    onSettled: () => void queries.invalidateQueries({ queryKey: ['deliveries', orgId, webhook.id] }),
  })
  return (
    <Section title="Test delivery">
      <Group justify="space-between" gap="sm">
        <Text span>Sends one signed delivery now, even if the webhook is disabled.</Text>
        <Button variant="default" loading={testing.isPending} onClick={() => testing.mutate()}>
          Send test
        </Button>
      </Group>
      {testing.error && <RefusalAlert title="Not sent" error={testing.error} />}
      {testing.data && <Outcome key={testing.submittedAt} delivery={testing.data} />}
    </Section>
  )
}

function Outcome({ delivery: { attributes } }: { delivery: DeliveryWithPayload }) {
  const { state, last_status, last_error, answer } = attributes
  const isTaken = state === 'delivered'
  return (
    <Alert
      color={isTaken ? 'green' : 'red'}
      icon={isTaken ? <CheckIcon /> : <ErrorIcon />}
      title={isTaken ? `Accepted: ${last_status}` : 'Not accepted'}
      role="status"
    >
      {last_error !== undefined && (
        <Text size="sm" className="breakable">
          {last_error}
        </Text>
      )}
      {answer !== undefined && answer !== '' && <Code block>{answer}</Code>}
    </Alert>
  )
}
