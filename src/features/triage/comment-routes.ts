import { Type } from 'typebox'
import { answerOrgChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { addComment, editComment, MAX_COMMENTS, removeComment } from './change-comments.ts'
import { commentsByAge, listComments } from './comments-store.ts'
import { getIssueId, getPlace } from './place-store.ts'
import { ChangedComment, IssueComment, NewComment, toCommentResource } from './resource.ts'
import { edit, params, path, read, referenceOf } from './vulnerability-path.ts'

const tags = ['Triage']
const releases = ['2024-10-15']

export function commentRoutes(scope: Server, services: Services): void {
  const { db, keyring } = services
  defineOperation(scope, {
    id: 'listComments',
    at: `GET ${path}/comments`,
    summary: 'List the comments on a vulnerability in a project or repository',
    description: 'An extension. Oldest first. A project shows the comments on its repository, too.',
    tags,
    access: { org: read },
    releases,
    params,
    query: listQuery(),
    response: { 200: Collection(IssueComment) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { issue, ...reference } = referenceOf(request)
      const current = await getPlace(db, { ...reference, orgId: orgOf(request).id })
      const thread = { place: current, issueId: await getIssueId(db, current, issue) }
      return list.document(await listComments(db, thread, list.window), commentsByAge, toCommentResource)
    },
  })
  defineOperation(scope, {
    id: 'createComment',
    at: `POST ${path}/comments`,
    summary: 'Comment on a vulnerability in a project or repository',
    description: `An extension. At most ${MAX_COMMENTS} comments.`,
    tags,
    access: { org: edit },
    releases,
    params,
    body: NewComment,
    response: { 201: Single(IssueComment) },
    handler: async (request, reply) =>
      answerOrgChange(services, { request, reply }, async (change) => {
        const comment = await addComment(change, referenceOf(request), request.body.data.attributes.body)
        const own = `/orgs/${change.org.id}/issue_comments/${comment.id}`
        const body = single(request, toCommentResource(comment), own)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${own}` } }
      }),
  })
}

/** Changes of one's own comments. */
export function ownCommentRoutes(scope: Server, services: Services): void {
  const at = '/orgs/:org_id/issue_comments/:comment_id'
  defineOperation(scope, {
    id: 'updateComment',
    at: `PATCH ${at}`,
    summary: 'Edit one’s own comment on a vulnerability',
    description: 'An extension. Only the author may edit a comment.',
    tags,
    access: { org: edit },
    releases,
    body: ChangedComment,
    response: { 200: Single(IssueComment) },
    handler: async (request, reply) => {
      const id = request.params.comment_id.toLowerCase()
      requirePathId(request.body.data.id, id)
      return answerOrgChange(services, { request, reply }, async (change) => {
        const comment = await editComment(change, id, request.body.data.attributes.body)
        return { status: 200, body: single(request, toCommentResource(comment)) }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteComment',
    at: `DELETE ${at}`,
    summary: 'Delete one’s own comment on a vulnerability',
    description: 'An extension. Only the author may delete a comment.',
    tags,
    access: { org: edit },
    releases,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerOrgChange(services, { request, reply }, (change) =>
        removeComment(change, request.params.comment_id.toLowerCase()),
      ),
  })
}
