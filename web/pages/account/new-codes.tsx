import { Button, Group, Stack, Text } from '@mantine/core'
import { call } from '../../api/client.ts'
import type { Added } from '../../api/resources.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { useAction } from '../../hooks/action.ts'

export function NewCodes({ onCreated, onCancel }: { onCreated: (added: Added) => void; onCancel: () => void }) {
  const creating = useAction(async () => onCreated(await call('createRecoveryCodes', {})))
  return (
    <Stack>
      {creating.error !== undefined && <RefusalAlert title="Not created" error={creating.error} />}
      <Text>Your present codes stop working, and you are signed out in all other browsers.</Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button onClick={() => void creating.run()} loading={creating.isRunning}>
          Create codes
        </Button>
      </Group>
    </Stack>
  )
}
