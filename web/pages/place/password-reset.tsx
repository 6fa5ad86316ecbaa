import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { Modal } from '../../ui/dialogs.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import type { OfUser } from './disabling.tsx'

/** Creates a one-time link with which a member sets a new password. */
export function PasswordReset({ groupId, user }: OfUser) {
  const [isOpen, { open, close }] = useDisclosure()
  const creating = useMutation({
    mutationFn: () => call('createPasswordReset', { params: { group_id: groupId, user_id: user.id } }),
  })
  const { name } = user.attributes

  function begin() {
    creating.reset()
    open()
  }

  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Reset password of ${name}`} onClick={begin}>
        Reset password
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Reset the password of ${name}?`} centered>
        {creating.data ? (
          <Stack>
            <SecretOnce label="One-time link" secret={creating.data.url} />
            <Text size="sm">
              Send it to {name} in private. It works once, until <RelativeTime time={creating.data.expires_at} />.
            </Text>
          </Stack>
        ) : (
          <Stack>
            {creating.error && <RefusalAlert title="Not created" error={creating.error} />}
            <Text>A one-time link lets {name} set a new password. An earlier link stops working.</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={close} data-autofocus>
                Cancel
              </Button>
              <Button onClick={() => creating.mutate()} loading={creating.isPending}>
                Create link
              </Button>
            </Group>
          </Stack>
        )}
      </Modal>
    </>
  )
}
