import { Button, Group, Stack, Text } from '@mantine/core'
import { call } from '../../api/client.ts'
import type { Factor } from '../../api/resources.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { useAction } from '../../hooks/action.ts'

interface Props {
  readonly factor: Factor
  readonly onRemoved: () => void
  readonly onCancel: () => void
}

export function FactorRemoval({ factor, onRemoved, onCancel }: Props) {
  const removing = useAction(async () => {
    await call('deleteFactor', { params: { id: factor.id } })
    onRemoved()
  })
  return (
    <Stack>
      {removing.error !== undefined && <RefusalAlert title="Not removed" error={removing.error} />}
      <Text>
        {factor.name} no longer signs you in, and you are signed out in all other browsers. With your last second factor
        the recovery codes are deleted.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} data-autofocus>
          Cancel
        </Button>
        <Button color="red.8" onClick={() => void removing.run()} loading={removing.isRunning}>
          Remove second factor
        </Button>
      </Group>
    </Stack>
  )
}
