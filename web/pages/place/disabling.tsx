import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../api/client.ts'
import { RefusalAlert } from '../../components/refusal-alert.tsx'
import { paths } from '../../navigation/paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ButtonLink } from '../../ui/links.tsx'

interface Props {
  readonly groupId: string
  readonly user: { readonly id: string; readonly attributes: { readonly name: string } }
}

/** Disables a member whose account the group manages. */
export function Disabling({ groupId, user }: Props) {
  const [isOpen, { open, close }] = useDisclosure()
  const queries = useQueryClient()
  const disabling = useMutation({
    mutationFn: () =>
      call('updateDisabled', { params: { group_id: groupId, user_id: user.id }, body: { disabled: true } }),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['users', groupId] })
      close()
    },
  })
  const { name } = user.attributes

  function begin() {
    disabling.reset()
    open()
  }

  if (disabling.isSuccess) {
    return (
      <ButtonLink size="compact-sm" variant="subtle" to={paths.user(groupId, user.id)}>
        Disabled
      </ButtonLink>
    )
  }
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Disable ${name}`} onClick={begin}>
        Disable
      </Button>
      <ConfirmDialog
        title={`Disable ${name}?`}
        verb="Disable"
        isOpen={isOpen}
        isBusy={disabling.isPending}
        onConfirm={() => disabling.mutate()}
        onClose={close}
      >
        {disabling.error && <RefusalAlert title="Not disabled" error={disabling.error} />}
        {name} is signed out everywhere. API keys and authorized apps end. Roles stay. Keys and authorized apps cannot
        be restored.
      </ConfirmDialog>
    </>
  )
}
