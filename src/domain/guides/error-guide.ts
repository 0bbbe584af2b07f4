// What each error code of the API and of failed commands means, why it occurs and what to do.
// `platform explain` prints it, and `npm run generate` writes docs/reference/errors.md from it.

import type { ErrorCode } from "../errors.ts";

export interface ErrorGuide {
  /** Sentences, like all texts here. Commands and names of fields are in backquotes. */
  meaning: string;
  /** The usual causes. */
  causes: readonly string[];
  remedy: string;
}

export type Guide<Code extends string> = Readonly<Record<Code, ErrorGuide>>;

/** The codes of the API. */
export const errorGuide: Guide<ErrorCode> = {
  INVALID_JSON: {
    meaning: "The body of the request is not JSON that the server accepts.",
    causes: [
      "The body is cut off, is in an encoding other than UTF-8, or repeats a key.",
      "The body has more objects, arrays, keys or values than the route accepts.",
      "The body of an operator's call contains a whole number above 9007199254740991, which would be rounded.",
    ],
    remedy:
      "Correct the body. The message names the place of the mistake, or the limit that the body exceeds.",
  },
  INVALID_REQUEST: {
    meaning: "The request breaks a rule of HTTP or of the API. The problem is outside the body.",
    causes: [
      "The `Host` header is missing, or a header that must be unique is repeated.",
      "The `Idempotency-Key` has characters that are not allowed.",
      "The path of the live stream was requested without a valid WebSocket handshake.",
    ],
    remedy: "Correct the request as the message says.",
  },
  UNAUTHORIZED: {
    meaning: "The request has no credential, or one that the server does not accept.",
    causes: [
      "The session has expired (by default eight hours after its last use), or a user ended it.",
      "The API key has expired or was revoked, or belongs to another server.",
      "The agent's token was revoked, or another agent has registered with the same code.",
    ],
    remedy:
      "If you are an operator, run `platformctl login`, or set `PLATFORM_API_KEY` to a valid key. If an agent made the " +
      "call, create a registration token with `platformctl tokens create`, and register the agent again.",
  },
  REGISTRATION_TOKEN_INVALID: {
    meaning: "The registration token is missing, or the server does not know it.",
    causes: [
      "The token is mistyped or cut off.",
      "The token was created by another server, or was deleted.",
    ],
    remedy: "Copy the whole token, or create a new one with `platformctl tokens create`.",
  },
  REGISTRATION_TOKEN_EXPIRED: {
    meaning: "The registration token expired before an agent registered with it.",
    causes: ["The token was valid only for the time in `--expires`, which is one day by default."],
    remedy: "Create a new token with `platformctl tokens create`.",
  },
  REGISTRATION_TOKEN_REVOKED: {
    meaning: "The registration token was revoked.",
    causes: ["An operator revoked it with `platformctl tokens revoke`."],
    remedy: "Create a new token with `platformctl tokens create`.",
  },
  FORBIDDEN: {
    meaning: "The credential is valid, but does not permit this call.",
    causes: [
      "Your role is too low. `details.role` is your role, and `details.needed` is the role that the call needs.",
      "An agent made the call with another agent's id.",
      "Only signed-in users can make the call, but it was made with an API key or with `--db`.",
    ],
    remedy:
      "Use a credential with the role in the message, or ask somebody with that role. `platform docs permissions` " +
      "lists the role of each route.",
  },
  REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT: {
    meaning:
      "The registration token is bound to other agents, or lacks labels that the agent needs. The token was not used " +
      "up.",
    causes: [
      "The token was created with `--agent` for another code.",
      "An agent with this code already exists, and has assigned labels that the token does not have.",
      "The services of that agent have assigned labels, and the token was not created by an owner.",
    ],
    remedy:
      "Create a token with `platformctl tokens create --agent CODE`. If labels are assigned to the agent or its " +
      "services, an owner must create the token, with one `--label` for each label that is assigned to the agent.",
  },
  AGENT_DISABLED: {
    meaning: "The agent is disabled. The server refuses its calls, and sends it no commands.",
    causes: ["An operator disabled the agent with `platformctl agents disable`."],
    remedy:
      "Enable the agent with `platformctl agents enable CODE`. The agent then continues by itself. A command that you " +
      "create with `--queue` waits until the agent is enabled or the command expires.",
  },
  CSRF_INVALID: {
    meaning:
      "The CSRF token of a request with a session cookie was missing or wrong, or the request or sign-in came from another site.",
    causes: [
      "The `X-CSRF-Token` header is missing, or its value belongs to an earlier session.",
      "The server does not know the URL at which browsers reach it.",
    ],
    remedy:
      "Read the token with `GET /api/admin/auth/me` and send it in `X-CSRF-Token`. Behind a proxy, set " +
      "`PLATFORM_PUBLIC_URL`. In programs, use an API key, which needs no CSRF token.",
  },
  CAPSULE_SOURCE_FORBIDDEN: {
    meaning: "An agent published an event for a service that belongs to another agent.",
    causes: ["Two agents report a service with the same code."],
    remedy:
      "If there are two services, give one of them another code. If there is only one service, run `platformctl " +
      "services move CODE --to AGENT` with the agent that publishes its events.",
  },
  OWN_REQUEST: {
    meaning: "You cannot decide on your own request.",
    causes: [
      "You made the request, or it was made with your API key or with an API key that you created.",
      "The request is for a schedule that you have changed since it was last approved.",
    ],
    remedy: "Ask somebody else to decide.",
  },
  NOT_AN_APPROVER: {
    meaning: "You are not one of the users who can decide on this request.",
    causes: [
      "The policy requires other users or a higher role.",
      "The call was made with an API key or with `--db`. Only signed-in users can decide.",
    ],
    remedy: "Sign in as one of the approvers that `platformctl approvals get REQUEST` lists.",
  },
  NOT_FOUND: {
    meaning: "The path does not exist, or there is nothing that the call could change.",
    causes: [
      "The path is mistyped, or the server is older than the client.",
      "`platformctl maintenance accept-data-loss` was run, but there is no loss of data to accept.",
    ],
    remedy:
      "Compare the path with the list that `platform docs reference/routes` prints. To compare the versions of the " +
      "client and the server, run `platformctl version`.",
  },
  ACTION_NOT_FOUND: {
    meaning: "The service does not declare an action with this name.",
    causes: ["The name is mistyped.", "The agent's configuration no longer has the action."],
    remedy: "List the actions of the service with `platformctl actions list SERVICE --hidden`.",
  },
  COMMAND_NOT_FOUND: {
    meaning: "There is no command with this id, or the command belongs to another agent.",
    causes: [
      "The id is mistyped.",
      "The command was deleted after the number of days in the `commandRetentionDays` setting.",
    ],
    remedy: "Find the command with `platformctl commands list`.",
  },
  AGENT_NOT_FOUND: {
    meaning: "There is no agent with this id or code.",
    causes: ["The code is mistyped.", "The agent was deleted, or has not registered yet."],
    remedy: "List the agents with `platformctl agents list`.",
  },
  API_KEY_NOT_FOUND: {
    meaning: "There is no API key with this id, or you cannot see it.",
    causes: ["The key was deleted.", "The key belongs to another user, and you are not an owner."],
    remedy: "List the keys with `platformctl api-keys list`.",
  },
  REGISTRATION_TOKEN_NOT_FOUND: {
    meaning: "There is no registration token with this id.",
    causes: [
      "The id is mistyped.",
      "An operator deleted the token.",
      "The server deleted the token. It deletes used, expired and revoked tokens after the number of days in the `auditRetentionDays` setting.",
    ],
    remedy: "List the tokens with `platformctl tokens list`.",
  },
  SESSION_NOT_FOUND: {
    meaning: "You have no session with this id.",
    causes: ["The session has already ended.", "The session belongs to another user."],
    remedy: "List your sessions with `platformctl sessions list`.",
  },
  USER_NOT_FOUND: {
    meaning: "There is no user with this id or username.",
    causes: ["The username is mistyped.", "The user was deleted."],
    remedy: "List the users with `platformctl users list`.",
  },
  SERVICE_NOT_FOUND: {
    meaning: "There is no service with this id or code.",
    causes: [
      "The code is mistyped.",
      "No agent has reported the service yet, or the service was deleted.",
    ],
    remedy: "List the services with `platformctl services list`.",
  },
  ROLLOUT_NOT_FOUND: {
    meaning: "There is no rollout with this id.",
    causes: [
      "The id is mistyped.",
      "The rollout was deleted after the number of days in the `commandRetentionDays` setting.",
    ],
    remedy: "List the rollouts with `platformctl rollouts list`.",
  },
  SCHEDULE_NOT_FOUND: {
    meaning: "There is no schedule with this id or name.",
    causes: [
      "The name is mistyped. Names of schedules are case-sensitive.",
      "The schedule was deleted.",
    ],
    remedy: "List the schedules with `platformctl schedules list`.",
  },
  APPROVAL_NOT_FOUND: {
    meaning: "There is no request for approval with this id.",
    causes: [
      "The id is mistyped.",
      "The request was deleted after the number of days in the `commandRetentionDays` setting.",
    ],
    remedy: "List the requests with `platformctl approvals list`.",
  },
  APPROVAL_POLICY_NOT_FOUND: {
    meaning: "There is no approval policy with this id or name.",
    causes: [
      "The name is mistyped. Names of policies are case-sensitive.",
      "The policy was deleted.",
    ],
    remedy: "List the policies with `platformctl policies list`.",
  },
  SAVED_VIEW_NOT_FOUND: {
    meaning: "There is no saved view with this id, or you cannot see it.",
    causes: ["The view was deleted.", "The view belongs to another user."],
    remedy: "List the views with `platformctl views list`.",
  },
  ATTENTION_GROUP_NOT_FOUND: {
    meaning: "The group of services that you named no longer exists.",
    causes: ["The services have recovered, or their problem or its cause has changed."],
    remedy: "List the current groups with `platformctl attention list`.",
  },
  CAPSULE_BUS_DISABLED: {
    meaning: "The event bus is off.",
    causes: [
      "The server was started without `PLATFORM_CAPSULE_BUS_ENABLED=true`. By default, the event bus is off.",
    ],
    remedy: "Start the server with `PLATFORM_CAPSULE_BUS_ENABLED=true`.",
  },
  BUS_SOURCE_NOT_FOUND: {
    meaning: "The source of the event is not a service of this server.",
    causes: ["The code in `source` is mistyped.", "The agent has not reported the service yet."],
    remedy: "Compare `source` with the codes in `platformctl services list`.",
  },
  BUS_ROUTE_NOT_FOUND: {
    meaning: "The event bus has no route with this id.",
    causes: ["The id is mistyped.", "The route was deleted."],
    remedy: "List the routes with `platformctl routes list`.",
  },
  BUS_EVENT_NOT_FOUND: {
    meaning: "The event bus has no event with this id.",
    causes: [
      "The id is mistyped.",
      "The event was deleted after the number of days in the `busEventRetentionDays` setting.",
    ],
    remedy: "List the events with `platformctl events list`.",
  },
  IDEMPOTENCY_KEY_NOT_FOUND: {
    meaning: "You have made no successful call with this idempotency key.",
    causes: [
      "The call failed or never reached the server.",
      "The call was made more than 24 hours ago, or by another caller.",
    ],
    remedy:
      "If you made the call less than 24 hours ago, repeat it with the same key and the same credential. Nothing is " +
      "then created twice. Otherwise, first check whether the call has already taken effect.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path exists, but does not support this method.",
    causes: ["The request has the wrong method, such as POST where PATCH is needed."],
    remedy: "Use one of the methods that the message and the `Allow` header list.",
  },
  REGISTRATION_TOKEN_USED: {
    meaning:
      "An agent has already registered with this token. A registration token can be used only once.",
    causes: [
      "Two hosts have the same token.",
      "This agent has already used the token, but the response was lost or the agent's state folder was deleted.",
    ],
    remedy:
      "Create a new token. If an agent with the same code still counts as online, create the token with " +
      "`platformctl tokens create --agent CODE --replace`.",
  },
  AGENT_CODE_TAKEN: {
    meaning:
      "An agent with this code is online, so a new agent cannot register with the same code.",
    causes: [
      "The configuration was copied from another host.",
      "The old agent is still running, or stopped so recently that it still counts as online.",
    ],
    remedy:
      "Give the new agent its own code. To replace the old agent, use a token from `platformctl tokens create --agent " +
      "CODE --replace`.",
  },
  REGISTRATION_TOKEN_ACTIVE: {
    meaning: "The token can still register an agent, so it cannot be deleted.",
    causes: ["The token was neither used nor revoked, and has not expired."],
    remedy: "Revoke the token with `platformctl tokens revoke TOKEN`, then delete it.",
  },
  API_KEY_ACTIVE: {
    meaning: "The API key is still valid, so it cannot be deleted.",
    causes: ["The key was not revoked and has not expired."],
    remedy: "Revoke the key with `platformctl api-keys revoke KEY`, then delete it.",
  },
  COMMAND_ALREADY_COMPLETED: {
    meaning: "The command has already ended.",
    causes: [
      "Somebody tried to cancel the command after it had ended.",
      "An agent reported a result after the command had expired or been cancelled. The server keeps that result as the command's late result.",
    ],
    remedy: "`platformctl commands get COMMAND` shows how the command ended.",
  },
  COMMAND_NOT_RETRYABLE: {
    meaning: "The command cannot be retried.",
    causes: [
      "The command has neither failed nor been cancelled.",
      "The command only prepared an action.",
    ],
    remedy: "Run the action again with `platformctl actions run SERVICE ACTION`.",
  },
  COMMAND_NOT_RUNNING: {
    meaning:
      "The command cannot accept output or a result in its present state, or the command whose output you asked for does not exist.",
    causes: [
      "An agent sent output for a command that only prepares an action.",
      "An agent sent output or a result for a command that was not delivered to it.",
      "A failover undid the delivery of the command. The sidecar and the library send the output or result again.",
      "You asked for the output of a service in a rollout, but the rollout has not created a command for that service.",
    ],
    remedy:
      "In a rollout, see the states of the services with `platformctl rollouts targets ROLLOUT`. If your own agent " +
      "program made the call, correct the program.",
  },
  CONFIRMATION_REQUIRED: {
    meaning: "The action or change must be confirmed. Nothing was done.",
    causes: [
      'The request has no `"confirmation": true`.',
      "A command of `platformctl` needs to ask for confirmation, but there is no terminal, or standard " +
        "input is used for other input.",
    ],
    remedy:
      'Make sure that you want the change. To confirm it, add `--yes` to the command, or `"confirmation": true` to the body of ' +
      "the request.",
  },
  PLAN_NOT_SUPPORTED: {
    meaning:
      "The agent cannot compare states, so it cannot check whether the state is unchanged before it runs the action.",
    causes: [
      "The agent is too old: its `features` do not include `plan`.",
      "While the command was open, the agent's program was replaced by an older version.",
    ],
    remedy: "Upgrade the agent, or run the action with `--no-if-unchanged`.",
  },
  STATE_NOT_REPORTED: {
    meaning:
      "The agent reported no state, so it is not possible to check whether the state is unchanged.",
    causes: ["The action has no `prepare`.", "The action's `prepare` returned no state."],
    remedy:
      "Run the action with `--no-if-unchanged`, or make its `prepare` return a `currentState`.",
  },
  PREPARE_UNUSABLE: {
    meaning:
      "The prepare command that the execution depends on cannot be used. `details.reason` says why.",
    causes: [
      "The prepare command belongs to another action, service or agent.",
      "The prepare command has not ended, has failed, was cancelled or was deleted.",
      "A command that depends on the state was retried, but the service now belongs to another agent.",
    ],
    remedy:
      "Prepare the action again, and use the id of the new prepare command instead of a retry.",
  },
  PLAN_EXPIRED: {
    meaning: "The plan has expired: the agent prepared the action more than an hour ago.",
    causes: ["Too much time passed between preparing the action and running it."],
    remedy: "Make a new plan with `platformctl actions plan SERVICE ACTION`.",
  },
  PLAN_ALREADY_APPLIED: {
    meaning: "The plan has already been applied. A plan can be applied only once.",
    causes: [
      "Somebody applied the plan. `details` contains the id of the resulting command or request for approval.",
    ],
    remedy: "Look at that command or request, or make a new plan.",
  },
  AGENT_OFFLINE: {
    meaning: "The agent is OFFLINE, so the server cannot send it anything.",
    causes: [
      "The host, the agent, or the network between the agent and the server is down.",
      "The agent was stopped, or its token was revoked.",
    ],
    remedy:
      "To find out why, run `platformctl agents get AGENT`. With `--queue`, the command waits for the agent.",
  },
  AGENT_NOT_OFFLINE: {
    meaning: "Only an agent that is OFFLINE can be deleted.",
    causes: [
      "The agent is still calling the server.",
      "The agent is DISABLED. A disabled agent cannot be deleted, because an agent with the same code could then register again.",
    ],
    remedy: "If the agent is disabled, enable it first. Then stop the agent or revoke its token.",
  },
  AGENT_HAS_OPEN_COMMANDS: {
    meaning: "The agent has commands that have not ended, so it cannot be deleted.",
    causes: ["Commands are waiting for the agent, or are running."],
    remedy: "Cancel the commands with `platformctl commands cancel`, or wait until they end.",
  },
  SERVICE_NOT_OFFLINE: {
    meaning:
      "A service can be deleted only if it is OFFLINE or STALE, or if its agent no longer manages it. Otherwise, the " +
      "agent's next report would bring the service back.",
    causes: ["An agent still reports the service."],
    remedy: "Remove the service from the agent's configuration, or stop the agent.",
  },
  SERVICE_HAS_OPEN_COMMANDS: {
    meaning: "The service has commands that have not ended, so it cannot be deleted.",
    causes: ["Commands of the service are waiting for its agent, or are running."],
    remedy: "Cancel the commands with `platformctl commands cancel`, or wait until they end.",
  },
  SERVICE_HAS_NO_PROBLEM: {
    meaning: "The service has no problem that could be acknowledged.",
    causes: ["The service is healthy, or its health is unknown."],
    remedy:
      "To hide problems of the service during maintenance, use `platformctl attention silence SERVICE`.",
  },
  ROLLOUT_WRONG_STATE: {
    meaning: "The state of the rollout does not allow the call.",
    causes: [
      "Somebody tried to pause, resume or cancel a rollout that has already ended.",
      "Somebody tried to pause a rollout that is already paused, or to resume one that is not paused.",
      "Somebody tried to retry a rollout that has not ended.",
    ],
    remedy: "See the state of the rollout with `platformctl rollouts get ROLLOUT`.",
  },
  ROLLOUT_HAS_NO_TARGETS: {
    meaning: "The rollout cannot run on any of the chosen services.",
    causes: [
      "No service matches, or none of the matching services declares the action.",
      "The agents of all matching services are offline.",
      "Somebody tried to retry a rollout, but none of the rollout's services failed.",
    ],
    remedy:
      "To see which services are left out and why, add `--dry-run` to `platformctl rollouts start ACTION …`.",
  },
  SCHEDULE_NAME_TAKEN: {
    meaning: "There is already a schedule with this name.",
    causes: ["You tried to create or rename a schedule, but another schedule has the new name."],
    remedy:
      "Choose another name, or change the existing schedule with `platformctl schedules update`.",
  },
  SCHEDULE_RUNNING: {
    meaning: "The last run of the schedule has not ended, so the schedule cannot be run now.",
    causes: ["The command or rollout of that run is still waiting or running."],
    remedy:
      "Find the run with `platformctl schedules runs SCHEDULE`. Wait until its command or rollout has ended, or cancel " +
      "that command or rollout.",
  },
  SCHEDULES_PAUSED: {
    meaning: "All schedules are paused, so this schedule cannot be run.",
    causes: ["Somebody ran `platformctl schedules pause --all`."],
    remedy: "End the pause with `platformctl schedules resume --all`.",
  },
  APPROVAL_REQUIRED: {
    meaning: "A policy requires approval, and this call cannot request it. Nothing was run.",
    causes: [
      "The call was made with `--db`, or with an API key that belongs to no user.",
      "A run of a schedule needs approval that the schedule does not have, so the schedule must be saved again.",
    ],
    remedy:
      "Make the call through a server, as a signed-in user or with the API key of a user. An owner can bypass the " +
      "approval with `--break-glass WHY`; the bypass is recorded in the audit trail.",
  },
  APPROVAL_WRONG_STATE: {
    meaning: "The request for approval has already ended.",
    causes: ["Somebody else approved or rejected the request, or it was withdrawn or expired."],
    remedy: "`platformctl approvals get REQUEST` shows how the request ended.",
  },
  APPROVAL_DIGEST_MISMATCH: {
    meaning: "The digest does not belong to this request. You may have read a different request.",
    causes: ["The digest was copied from another request, or is cut off."],
    remedy: "Read the request again and use its digest: `platformctl approvals get REQUEST`.",
  },
  APPROVAL_POLICY_NAME_TAKEN: {
    meaning: "There is already an approval policy with this name.",
    causes: ["You tried to create or rename a policy, but another policy has the new name."],
    remedy:
      "Choose another name, or change the existing policy with `platformctl policies update`.",
  },
  LAST_OWNER: {
    meaning: "The server must keep at least one active owner.",
    causes: ["Somebody tried to demote, disable or delete the last active owner."],
    remedy: "Create another owner first.",
  },
  USERNAME_TAKEN: {
    meaning: "There is already a user with this username.",
    causes: ["Another user has this username, or one that differs only in upper and lower case."],
    remedy: "Choose another username.",
  },
  SAVED_VIEW_NAME_TAKEN: {
    meaning: "There is already a saved view with this name.",
    causes: [
      "You tried to save a view under a name that another of your views has, or to share it under a name that another shared view has.",
    ],
    remedy: "Choose another name, or change the existing view with `platformctl views update`.",
  },
  DECLARATIONS_CHANGED: {
    meaning:
      "The stored objects have changed since the preview, so applying the files would make changes that the preview " +
      "did not show.",
    causes: [
      "Somebody changed a declared object after the preview, but before the changes were applied.",
    ],
    remedy: "Run `platformctl apply` again and look at the new preview.",
  },
  VERSION_CONFLICT: {
    meaning: "Somebody else has changed the object since you read it.",
    causes: [
      "The request contains an older `version`, for example from a file that was written earlier.",
    ],
    remedy:
      "Read the object again, and make your change to the current version. `details.currentVersion` is that version, " +
      "`details.updatedAt` is when it was stored, and `details.version` is the version in the request.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: "This idempotency key belongs to a call with a different path, query or body.",
    causes: ["A script uses one `--request-id` for different actions or payloads."],
    remedy: "Use a new idempotency key (`--request-id`) for each new call.",
  },
  IDEMPOTENCY_SECRET_GONE: {
    meaning:
      "This call was made before, and created a token or key. A token or key is shown only once.",
    causes: ["A call to create a credential was repeated after its response was lost."],
    remedy:
      "Revoke the credential whose id is in `details.id`. Then create another one, with a new idempotency key.",
  },
  PAYLOAD_TOO_LARGE: {
    meaning: "The body is larger than the route accepts.",
    causes: ["A payload, a file, a report or a plan is too large."],
    remedy: "Send less, or make several smaller calls.",
  },
  COMMAND_RESULT_TOO_LARGE: {
    meaning: "The result of a command is larger than the server accepts.",
    causes: [
      "The output has more bytes than `PLATFORM_COMMAND_RESULT_MAX_BYTES`, or too many values.",
    ],
    remedy:
      "Make the action return less, or raise the limit. When the server refuses a result, the sidecar and the agent " +
      "library automatically send a shorter one.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body is not declared as JSON.",
    causes: ["The `Content-Type` header is missing or names another type."],
    remedy: "Send `Content-Type: application/json`.",
  },
  MISDIRECTED_HOST: {
    meaning: "The server does not accept the name in the `Host` header.",
    causes: [
      "The request uses a host name that the server does not know, for example behind a proxy.",
      "A page of another site made the request, as in a DNS rebinding attack.",
    ],
    remedy: "Add the host to `PLATFORM_ALLOWED_HOSTS`, or set `PLATFORM_PUBLIC_URL`.",
  },
  VALIDATION_FAILED: {
    meaning: "A field of the request is missing or has a value that is not allowed.",
    causes: [
      "A value is missing, mistyped or of the wrong type. `details.issues` contains the path of each wrong field and says what is wrong.",
    ],
    remedy: "Correct the fields that the message names.",
  },
  PAYLOAD_INVALID: {
    meaning: "The payload does not match the schema of the action. Nothing was run.",
    causes: [
      "A required field is missing, or a value has the wrong type.",
      "The schema has changed since the payload was written, for example in a schedule.",
    ],
    remedy:
      "See the declared fields with `platformctl actions list SERVICE`. To see the current form, run `platformctl " +
      "actions prepare SERVICE ACTION`.",
  },
  PAYLOAD_NEEDS_SECRETS: {
    meaning:
      "The payload contains secrets that the server has deleted, or that only the user who supplied them can use again.",
    causes: [
      "Somebody tried to retry a command with secrets, which the server deleted when the command ended.",
      "Somebody changed the target of a schedule or bus route whose secrets another user had supplied.",
    ],
    remedy: "Supply the secrets again. `details.pointers` lists their places in the payload.",
  },
  PLAN_INVALID: {
    meaning:
      "The signature of the plan is not valid on this server, or another version of the server made the plan.",
    causes: [
      "The file was changed or cut off.",
      "The plan is from another server or another version, or the keys of this server were replaced.",
    ],
    remedy: "Make a new plan with `platformctl actions plan SERVICE ACTION`.",
  },
  BUS_DEPTH_EXCEEDED: {
    meaning:
      "The chain of events is too long: this event was caused by an event that the bus itself had caused.",
    causes: [
      "A command that the bus created published an event. That event caused a second command, which published this event.",
    ],
    remedy:
      "Change the second action so that it does the work itself instead of publishing an event. You can also publish " +
      "the event without a cause (`causationid`).",
  },
  TOO_MUCH_WORK: {
    meaning: "The call would have to examine more data than the server allows for a single call.",
    causes: [
      "The fleet is large and the call concerns all of it, or the files of `platformctl apply` declare too many objects.",
    ],
    remedy: "Make several smaller calls, for example one for each agent or label.",
  },
  RATE_LIMITED: {
    meaning: "There were too many calls. `Retry-After` says how many seconds to wait.",
    causes: [
      "One credential makes more requests per second than `PLATFORM_MAX_REQUESTS_PER_SECOND` allows.",
      "There were too many failed sign-ins or registrations from this network.",
      "One credential makes too many expensive calls at the same time, such as previews of rollouts or declarations.",
      "One credential has too many downloads in progress, or too many live streams open.",
      "Too many passwords are being checked or set at the same time.",
      "Another backup is in progress.",
    ],
    remedy: "Wait and repeat the call. Make expensive calls one after the other.",
  },
  BUS_RATE_LIMITED: {
    meaning: "The agent published more events within a minute than the server allows.",
    causes: [
      "The agent publishes more events per minute than `PLATFORM_CAPSULE_BUS_INGEST_PER_MIN` allows (60 by default).",
    ],
    remedy: "Wait as long as `Retry-After` says, publish fewer events, or raise the limit.",
  },
  INTERNAL_ERROR: {
    meaning: "An unexpected error occurred in the server.",
    causes: ["There is a bug in the server."],
    remedy:
      "Search the server's log for the request id in the response. Report the error together with the log entry.",
  },
  NOT_SUPPORTED: {
    meaning: "This database does not support the call.",
    causes: [
      "You tried to back up or restore a PostgreSQL database, which only PostgreSQL's own programs can do.",
    ],
    remedy: "Run the command that the message contains.",
  },
  ACTION_PREPARE_FAILED: {
    meaning: "The agent could not prepare the action. Nothing was run.",
    causes: ["The service, or the program that prepares the action, reported an error."],
    remedy:
      "Read the agent's reason in the message and in `details`. Fix the cause, and try again.",
  },
  UNAVAILABLE: {
    meaning: "The server cannot process the call now. The same call may succeed later.",
    causes: [
      "The database cannot be read or written. The message names the reason, such as a full disk.",
      "The server is stopping, or has too many connections or streams.",
      "The request took too long to arrive. The HTTP status is then 408.",
      "Another call with the same idempotency key is in progress.",
    ],
    remedy:
      "Wait for as long as `Retry-After` says, and repeat the call. If the database is the cause, `platformctl health` " +
      "shows the reason.",
  },
  ACTION_PREPARE_TIMEOUT: {
    meaning:
      "The agent did not prepare the action in time. The limit is the action's `timeout`, or 30 s if the action " +
      "has none, but never more than 60 s. Nothing was run.",
    causes: [
      "The agent has just gone offline, or is running as many commands as it can.",
      "The program or service that prepares the action is slow.",
    ],
    remedy: "Try again. `platformctl agents get AGENT` shows when the agent last called.",
  },
};

/** Codes with which commands and their parts fail. Actions can also fail with their own codes. */
export const outcomeGuide = {
  ACTION_FAILED: {
    meaning: "The action failed without an error code.",
    causes: [
      "The handler of the action threw an error, or the service reported an error without a code.",
    ],
    remedy: "Read the message and the output: `platformctl commands get COMMAND`.",
  },
  ACTION_OUTPUT_INVALID: {
    meaning: "The action finished, but its output is not JSON.",
    causes: ["The handler returned a value that JSON cannot represent, such as a circular object."],
    remedy: "Make the handler return plain data.",
  },
  ACTION_PREPARE_INVALID: {
    meaning: "The server does not accept what `prepare` returned.",
    causes: ["The form is too large, or its `inputSchema` is not a valid JSON Schema."],
    remedy: "Correct what `prepare` returns. The message says what is wrong.",
  },
  ACTION_TIMED_OUT: {
    meaning: "The action took longer than its timeout, so the agent stopped it.",
    causes: ["The program hangs, waits for input, or needs more time than `timeout` allows."],
    remedy:
      "`platformctl commands logs COMMAND` shows what the program wrote. If the program only needs more time, raise " +
      "the action's `timeout`.",
  },
  ACTION_UNKNOWN: {
    meaning: "The agent does not know the service or the action.",
    causes: [
      "The service or the action was removed from the agent's configuration after the command was created.",
    ],
    remedy:
      "Add the service or action to the configuration again, or choose an action that `platformctl actions list " +
      "SERVICE` shows.",
  },
  AGENT_RESTARTED: {
    meaning: "The agent ended while the command was running. Nobody knows how far the command got.",
    causes: [
      "The agent or its host crashed, was killed or was restarted.",
      "The command was cancelled, and the agent has no record of it, because the agent lost its journal or now runs on another host.",
    ],
    remedy:
      "Check the service before you repeat the command. The agent never runs the command again by itself.",
  },
  AGENT_STOPPED: {
    meaning: "The agent was stopped, and the action did not end in time.",
    causes: ["The agent was stopped or restarted while the action ran."],
    remedy: "Check the service, then repeat the command. Raise `stopGrace` for long actions.",
  },
  AGENT_STORAGE_FAILED: {
    meaning: "The agent could not write its journal, so it did not run the command.",
    causes: ["The disk of the agent's state folder is full or read-only."],
    remedy:
      "Free up space on the disk, or make the state folder (`stateDir`) writable. Then repeat the command.",
  },
  COMMAND_ALREADY_RUN: {
    meaning:
      "The server acknowledged the result of the command, and later delivered the command again. The agent did not run it again.",
    causes: [
      "The server's database was reset to an earlier state, for example by restoring a backup.",
    ],
    remedy:
      "Check the service. The agent ran the command when it was delivered for the first time.",
  },
  COMMAND_CANCELLED: {
    meaning: "An operator cancelled the command. The action was stopped, or was never started.",
    causes: [
      "Somebody ran `platformctl commands cancel`, or cancelled the command in the console.",
    ],
    remedy: "If the command is still needed, repeat it with `platformctl commands retry COMMAND`.",
  },
  COMMAND_EXPIRED: {
    meaning: "The command expired before the agent ran it.",
    causes: ["The agent was offline, or other commands of the service took too long."],
    remedy: "Make sure that the agent is ONLINE, then repeat the command.",
  },
  COMMAND_NOT_STOPPED: {
    meaning: "An operator cancelled the command, but the action did not end within 10 s.",
    causes: [
      "The handler of the action ignores the signal to stop, or the program runs as another user (`sudo`), so the " +
        "agent is not allowed to stop it.",
    ],
    remedy: "Check the service. The action may still be running.",
  },
  COMMAND_TIMED_OUT: {
    meaning: "The agent received the command, but reported no result in time.",
    causes: [
      "The agent or its host went down while the command was running, or the agent cannot reach the server.",
    ],
    remedy:
      "Check the service before you repeat the command. If a result still arrives, the server keeps it as the " +
      "command's late result.",
  },
  FORM_INVALID: {
    meaning: "The form that `prepare` returned is not JSON.",
    causes: ["The program prints something in addition to the form, or only part of the form."],
    remedy: "Run the program in `prepare` by hand, and correct what it prints on standard output.",
  },
  OUTPUT_TOO_LARGE: {
    meaning: "The form that `prepare` returned is larger than 256 KiB.",
    causes: ["The program prints too much."],
    remedy: "Make `prepare` return less.",
  },
  OWNER_DISABLED: {
    meaning: "A run of a schedule failed, because the schedule's owner is disabled or was deleted.",
    causes: [
      "Somebody disabled or deleted the user who saved the schedule last. The schedule runs with the rights of this user.",
    ],
    remedy:
      "Ask another user to save the schedule, even without changes (`platformctl schedules update NAME`). That user then owns it. " +
      "`platformctl apply` saves a schedule only if the stored schedule differs from its declaration.",
  },
  OWNER_ROLE: {
    meaning:
      "A run of a schedule failed, because the role of the schedule's owner no longer permits running actions.",
    causes: ["The owner of the schedule is now a viewer."],
    remedy:
      "Ask an operator to save the schedule, even without changes (`platformctl schedules update NAME`). The operator then owns it. " +
      "`platformctl apply` saves a schedule only if the stored schedule differs from its declaration.",
  },
  PROGRAM_FAILED: {
    meaning: "The program of the action exited with a status other than 0, or was killed.",
    causes: [
      "The program reported an error. The message is usually the last line of its standard error, and the details contain the exit status.",
    ],
    remedy: "Run the program by hand as the agent's user.",
  },
  PROGRAM_NOT_STARTED: {
    meaning: "The program of the action could not be started.",
    causes: [
      "The program does not exist or is not in the agent's `PATH`, or the working directory (`cwd`) does not exist.",
    ],
    remedy:
      "Write the full path of the program in the agent's configuration, and check the configuration with `platform " +
      "agent check`.",
  },
  SECRET_MISSING: {
    meaning:
      "The agent could not read the secret for a header of the request, so it did not send the request.",
    causes: [
      "The environment variable with the secret is not set, or the agent's user cannot read the file with the secret.",
    ],
    remedy:
      "Set the variable, or make the file readable for the agent's user. Then run `platform agent check`.",
  },
  SERVICE_NOT_HEALTHY: {
    meaning: "The command of a rollout succeeded, but the service did not become healthy in time.",
    causes: [
      "The service is unhealthy, or its agent did not report the service again within the time in `--health-timeout`.",
    ],
    remedy:
      "To find out why, run `platformctl services get SERVICE`. Then run `platformctl rollouts retry ROLLOUT`.",
  },
  SERVICE_UNREACHABLE: {
    meaning: "The service did not respond to the request that the agent sent for the action.",
    causes: ["The service is down, or the URL in the agent's configuration is wrong."],
    remedy: "Call the URL by hand on the agent's host.",
  },
  STATE_CHANGED: {
    meaning: "The state of the service has changed since it was shown, so nothing was run.",
    causes: ["Somebody or something has changed the service since the action was prepared."],
    remedy: "Prepare the action again, and look at the new state.",
  },
  STATE_NOT_CHECKED: {
    meaning:
      "The agent could not compare the present state of the service with the state that was shown, so nothing was run.",
    causes: ["`prepare` failed or returned no state when the agent called it again."],
    remedy: "Prepare the action again.",
  },
  TARGET_CHANGED: {
    meaning:
      "The service, its action or the schedule changed after the rollout or run was started or approved, so nothing was run.",
    causes: [
      "The service belongs to another agent now, or declares the action differently.",
      "The schedule was changed after an operator had started the run.",
    ],
    remedy:
      "Depending on what failed, start the rollout or the run again, or save the schedule again.",
  },
} as const satisfies Guide<string>;

export type OutcomeCode = keyof typeof outcomeGuide;
