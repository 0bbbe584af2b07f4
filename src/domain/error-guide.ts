// What each error code means, why it occurs and what to do. `platform explain` prints it, and
// `npm run generate` writes docs/reference/errors.md from it.

import type { ErrorCode } from "./errors.ts";

export interface ErrorGuide {
  /** Sentences, like all texts here. Commands and names of fields are in backquotes. */
  meaning: string;
  /** The usual causes. */
  causes: readonly string[];
  remedy: string;
}

type Guide<Code extends string> = Readonly<Record<Code, ErrorGuide>>;

/** The codes of the API. */
export const errorGuide: Guide<ErrorCode> = {
  INVALID_JSON: {
    meaning: "The body of the request is not valid JSON.",
    causes: [
      "The body is cut off, is in an encoding other than UTF-8, or repeats a key.",
      "The body has more objects, arrays, keys or values than the route accepts.",
    ],
    remedy: "Correct the body. The message names the place or the limit.",
  },
  INVALID_REQUEST: {
    meaning:
      "The request breaks a rule of HTTP or of the API that does not concern a field of the body.",
    causes: [
      "The `Host` header is missing, or a header that must be unique is repeated.",
      "The `Idempotency-Key` has characters that are not allowed.",
      "The live stream was opened without a WebSocket client.",
    ],
    remedy: "Correct the request as the message says.",
  },
  UNAUTHORIZED: {
    meaning: "The request has no credential, or one that the server does not accept.",
    causes: [
      "The session was not used for eight hours, or was ended on purpose.",
      "The API key has expired or was revoked, or belongs to another server.",
      "The agent's token was revoked, or another agent has registered under its code.",
    ],
    remedy:
      "Operators: run `platformctl login`, or set `PLATFORM_API_KEY` to a valid key. Agents: create a registration " +
      "token with `platformctl tokens create`, and register the agent again.",
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
    causes: ["The token is older than its `--expires`, which is one day by default."],
    remedy: "Create a new token with `platformctl tokens create`.",
  },
  REGISTRATION_TOKEN_REVOKED: {
    meaning: "The registration token was revoked.",
    causes: ["An operator has revoked it with `platformctl tokens revoke`."],
    remedy: "Create a new token with `platformctl tokens create`.",
  },
  FORBIDDEN: {
    meaning: "The credential is valid, but does not permit this call.",
    causes: [
      "The role is too low: `details.role` is yours, and `details.needed` is the one that the call needs.",
      "An agent has called with the id of another agent.",
      "The call is only for signed-in users, and was made with an API key or with `--db`.",
    ],
    remedy:
      "Use a credential with the role in the message, or ask somebody with that role. " +
      "`platform docs permissions` lists the role of each route.",
  },
  REGISTRATION_TOKEN_NOT_FOR_THIS_AGENT: {
    meaning: "The registration token is bound to other agents. It was not used up.",
    causes: [
      "The token was created with `--agent` for another code.",
      "The agent or its services have assigned labels that the token does not have.",
    ],
    remedy:
      "Create a token with `platformctl tokens create --agent CODE`. If labels are assigned, an owner must create it, with " +
      "`--label` for each label that is assigned to the agent.",
  },
  AGENT_DISABLED: {
    meaning: "The agent is disabled. The server refuses its calls, and sends it no commands.",
    causes: ["An operator has disabled it with `platformctl agents disable`."],
    remedy:
      "Enable it with `platformctl agents enable CODE`. The agent then continues by itself. With `--queue`, a command waits " +
      "until then.",
  },
  CSRF_INVALID: {
    meaning: "A request with a session came without a valid CSRF token, or from another site.",
    causes: [
      "The header `X-CSRF-Token` is missing, or belongs to an earlier session.",
      "The server does not know the URL at which browsers reach it.",
    ],
    remedy:
      "Read the token at `GET /api/admin/auth/me` and send it in `X-CSRF-Token`. Behind a proxy, set " +
      "`PLATFORM_PUBLIC_URL`. Programs should use an API key, which needs no CSRF token.",
  },
  CAPSULE_SOURCE_FORBIDDEN: {
    meaning: "An agent has published an event for a service that belongs to another agent.",
    causes: ["Two agents report a service with the same code."],
    remedy:
      "Give one of the services another code, or move it with `platformctl services move CODE --to AGENT`.",
  },
  OWN_REQUEST: {
    meaning: "You cannot decide on your own request.",
    causes: [
      "You made the request, or it was made with your API key or with one that you created.",
      "You have changed the schedule since it was last approved.",
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
      "`maintenance accept-data-loss` was run, but no loss of data is waiting to be accepted.",
    ],
    remedy:
      "Compare the path with `platform docs reference/routes`, and the versions with `platformctl version`.",
  },
  ACTION_NOT_FOUND: {
    meaning: "The service does not declare an action with this name.",
    causes: ["The name is mistyped.", "The agent's configuration no longer has the action."],
    remedy: "List the actions of the service with `platformctl actions list SERVICE --hidden`.",
  },
  COMMAND_NOT_FOUND: {
    meaning: "There is no command with this id, or it belongs to another agent.",
    causes: ["The id is mistyped.", "The command was deleted after `commandRetentionDays`."],
    remedy: "Find the command with `platformctl commands list`.",
  },
  AGENT_NOT_FOUND: {
    meaning: "There is no agent with this id or code.",
    causes: ["The code is mistyped.", "The agent was deleted, or has not registered yet."],
    remedy: "List the agents with `platformctl agents list`.",
  },
  API_KEY_NOT_FOUND: {
    meaning: "There is no API key with this id that you can see.",
    causes: ["The key was deleted.", "The key belongs to another user, and you are not an owner."],
    remedy: "List the keys with `platformctl api-keys list`.",
  },
  REGISTRATION_TOKEN_NOT_FOUND: {
    meaning: "There is no registration token with this id.",
    causes: [
      "The id is mistyped.",
      "The token was deleted, or it ended longer ago than the retention period.",
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
    causes: ["The code is mistyped.", "No agent has reported the service yet, or it was deleted."],
    remedy: "List the services with `platformctl services list`.",
  },
  ROLLOUT_NOT_FOUND: {
    meaning: "There is no rollout with this id.",
    causes: ["The id is mistyped.", "The rollout was deleted after `commandRetentionDays`."],
    remedy: "List the rollouts with `platformctl rollouts list`.",
  },
  SCHEDULE_NOT_FOUND: {
    meaning: "There is no schedule with this id or name.",
    causes: ["The name is mistyped. Letter case matters.", "The schedule was deleted."],
    remedy: "List the schedules with `platformctl schedules list`.",
  },
  APPROVAL_NOT_FOUND: {
    meaning: "There is no request for approval with this id.",
    causes: ["The id is mistyped.", "The request was deleted after `commandRetentionDays`."],
    remedy: "List the requests with `platformctl approvals list`.",
  },
  APPROVAL_POLICY_NOT_FOUND: {
    meaning: "There is no approval policy with this id or name.",
    causes: ["The name is mistyped. Letter case matters.", "The policy was deleted."],
    remedy: "List the policies with `platformctl policies list`.",
  },
  SAVED_VIEW_NOT_FOUND: {
    meaning: "There is no saved view with this id that you can see.",
    causes: ["The view was deleted.", "The view belongs to another user."],
    remedy: "List the views with `platformctl views list`.",
  },
  ATTENTION_GROUP_NOT_FOUND: {
    meaning: "This group of services with the same problem no longer exists.",
    causes: ["The services have recovered, or their problem or its reason has changed."],
    remedy: "Read the groups again with `platformctl attention list`.",
  },
  CAPSULE_BUS_DISABLED: {
    meaning: "The event bus is off.",
    causes: [
      "The server was started without `PLATFORM_CAPSULE_BUS_ENABLED=true`. This is the default.",
    ],
    remedy: "Start the server with `PLATFORM_CAPSULE_BUS_ENABLED=true`.",
  },
  BUS_SOURCE_NOT_FOUND: {
    meaning: "The source of the event is not a service of this server.",
    causes: ["The code in `source` is mistyped.", "The agent has not reported the service yet."],
    remedy: "Compare `source` with the codes in `platformctl services list`.",
  },
  BUS_ROUTE_NOT_FOUND: {
    meaning: "There is no route of the event bus with this id.",
    causes: ["The id is mistyped.", "The route was deleted."],
    remedy: "List the routes with `platformctl routes list`.",
  },
  BUS_EVENT_NOT_FOUND: {
    meaning: "There is no event of the event bus with this id.",
    causes: ["The id is mistyped.", "The event was deleted after `busEventRetentionDays`."],
    remedy: "List the events with `platformctl events list`.",
  },
  IDEMPOTENCY_KEY_NOT_FOUND: {
    meaning: "You have made no successful call with this idempotency key.",
    causes: [
      "The call failed or never arrived.",
      "The call was made more than 24 hours ago, or by another caller.",
    ],
    remedy: "Repeat the call with the same key. Nothing is created twice.",
  },
  METHOD_NOT_ALLOWED: {
    meaning: "The path exists, but not with this method.",
    causes: ["The request has the wrong method, such as POST where PATCH is needed."],
    remedy: "Use one of the methods in the message and in the header `Allow`.",
  },
  REGISTRATION_TOKEN_USED: {
    meaning: "An agent has already registered with this token, which works only once.",
    causes: [
      "Two hosts have the same token.",
      "This agent has already used it, but the response was lost or the agent's state folder was deleted.",
    ],
    remedy:
      "Create a new token. If the agent's earlier registration still occupies its code, create the token with " +
      "`platformctl tokens create --agent CODE --replace`.",
  },
  AGENT_CODE_TAKEN: {
    meaning: "An agent with this code is online, so a new one cannot register under it.",
    causes: [
      "The configuration was copied from another host.",
      "The old agent is still running, or stopped so recently that it still counts as online.",
    ],
    remedy:
      "Give the new agent its own code. To replace the old one, use a token from " +
      "`platformctl tokens create --agent CODE --replace`.",
  },
  REGISTRATION_TOKEN_ACTIVE: {
    meaning: "The token can still register an agent, so it cannot be deleted.",
    causes: ["The token was neither used nor revoked, and has not expired."],
    remedy: "Revoke it first with `platformctl tokens revoke TOKEN`.",
  },
  API_KEY_ACTIVE: {
    meaning: "The API key is still valid, so it cannot be deleted.",
    causes: ["The key was not revoked and has not expired."],
    remedy: "Revoke it first with `platformctl api-keys revoke KEY`.",
  },
  COMMAND_ALREADY_COMPLETED: {
    meaning: "The command has already ended.",
    causes: [
      "Somebody tried to cancel the command, but it had just ended.",
      "An agent has reported a result after the command expired or was cancelled. That result is kept as the late result.",
    ],
    remedy: "See how it ended with `platformctl commands get COMMAND`.",
  },
  COMMAND_NOT_RETRYABLE: {
    meaning: "The command cannot be retried.",
    causes: ["It has not failed and was not cancelled.", "It is a prepare."],
    remedy: "Run the action again with `platformctl actions run SERVICE ACTION`.",
  },
  COMMAND_NOT_RUNNING: {
    meaning: "The command is not running, so it has no output.",
    causes: [
      "An agent has sent output for a prepare, or for a command that it has not received.",
      "The service of the rollout has no command yet.",
    ],
    remedy: "Wait until the command has ended: `platformctl commands wait COMMAND`.",
  },
  CONFIRMATION_REQUIRED: {
    meaning: "The action, or the change, must be confirmed. Nothing was done.",
    causes: [
      'The request has no `"confirmation": true`.',
      "A command needs to ask for confirmation, but there is no terminal.",
    ],
    remedy: 'Read what would be done, then add `--yes`, or `"confirmation": true` to the body.',
  },
  PLAN_NOT_SUPPORTED: {
    meaning:
      "The agent's program cannot compare states, so it cannot run an action on the condition that the state is unchanged.",
    causes: [
      "The agent is too old: its `features` do not include `plan`.",
      "The agent was replaced by an older one while the command waited.",
    ],
    remedy: "Upgrade the agent, or run the action with `--no-if-unchanged`.",
  },
  STATE_NOT_REPORTED: {
    meaning:
      "There is no state to compare, so the action cannot run on the condition that the state is unchanged.",
    causes: ["The action has no `prepare`.", "Its `prepare` returned no state."],
    remedy:
      "Run the action with `--no-if-unchanged`, or make its `prepare` return a `currentState`.",
  },
  PREPARE_UNUSABLE: {
    meaning: "The prepare that the request refers to cannot be used. `details.reason` says why.",
    causes: [
      "It belongs to another action, service or agent.",
      "It has not ended, has failed or was cancelled, or was deleted.",
    ],
    remedy: "Prepare the action again and use the new prepare.",
  },
  PLAN_EXPIRED: {
    meaning: "The plan, or the prepare that it is based on, is more than an hour old.",
    causes: ["Too much time passed before the plan was applied."],
    remedy: "Make a new plan with `platformctl actions plan SERVICE ACTION`.",
  },
  PLAN_ALREADY_APPLIED: {
    meaning: "The plan has already been applied. A plan works only once.",
    causes: [
      "Somebody has applied it. `details` contains the id of the command or of the request for approval.",
    ],
    remedy: "Look at that command, or make a new plan.",
  },
  AGENT_OFFLINE: {
    meaning:
      "The agent has not called for longer than the offline threshold, so nothing can be sent to it.",
    causes: [
      "The host, the agent, or the network between the agent and the server is down.",
      "The agent's token was revoked.",
    ],
    remedy:
      "See why with `platformctl agents get AGENT`. With `--queue`, the command waits for the agent.",
  },
  AGENT_NOT_OFFLINE: {
    meaning: "Only an agent that is OFFLINE can be deleted.",
    causes: [
      "The agent is still calling the server.",
      "The agent is DISABLED: if it were deleted, an agent with its code could register again.",
    ],
    remedy: "Stop the agent or revoke its token. Enable a disabled agent first.",
  },
  AGENT_HAS_OPEN_COMMANDS: {
    meaning: "The agent has commands that have not ended, so it cannot be deleted.",
    causes: ["Commands are waiting for the agent, or are running."],
    remedy: "Cancel them with `platformctl commands cancel`, or wait until they end.",
  },
  SERVICE_NOT_OFFLINE: {
    meaning:
      "Only a service that is OFFLINE, STALE or removed can be deleted. Any other would come back with its agent's next report.",
    causes: ["An agent still reports the service."],
    remedy: "Remove the service from the agent's configuration, or stop the agent.",
  },
  SERVICE_HAS_OPEN_COMMANDS: {
    meaning: "The service has commands that have not ended, so it cannot be deleted.",
    causes: ["Commands of the service are waiting for its agent, or are running."],
    remedy: "Cancel them with `platformctl commands cancel`, or wait until they end.",
  },
  SERVICE_HAS_NO_PROBLEM: {
    meaning: "There is nothing to acknowledge.",
    causes: ["The service is healthy, or its health is unknown."],
    remedy: "To keep it quiet during maintenance, use `platformctl attention silence SERVICE`.",
  },
  ROLLOUT_WRONG_STATE: {
    meaning: "The rollout is in a state that does not allow this.",
    causes: ["It has already ended.", "It is already paused, or is not paused."],
    remedy: "See its state with `platformctl rollouts get ROLLOUT`.",
  },
  ROLLOUT_HAS_NO_TARGETS: {
    meaning: "The rollout cannot run on any of the chosen services.",
    causes: [
      "No service matches, or those that match do not declare the action.",
      "All of their agents are offline.",
      "No service has failed in the rollout that is to be retried.",
    ],
    remedy:
      "See which services are left out, and why, with `platformctl rollouts start ACTION … --dry-run`.",
  },
  SCHEDULE_NAME_TAKEN: {
    meaning: "There is already a schedule with this name.",
    causes: ["Names of schedules are unique."],
    remedy: "Choose another name, or change that schedule with `platformctl schedules update`.",
  },
  SCHEDULE_RUNNING: {
    meaning: "The last run of the schedule has not ended, so it cannot be run now.",
    causes: ["Its command or rollout is still waiting or running."],
    remedy:
      "Find the run with `platformctl schedules runs SCHEDULE`, then wait for it or cancel it.",
  },
  SCHEDULES_PAUSED: {
    meaning: "All schedules are paused, so none can be run.",
    causes: ["Somebody has run `platformctl schedules pause --all`."],
    remedy: "End the pause with `platformctl schedules resume --all`.",
  },
  APPROVAL_REQUIRED: {
    meaning: "A policy requires approval, and this call cannot request it. Nothing was run.",
    causes: [
      "The call was made with `--db`, or with an API key that belongs to no user.",
      "A schedule must be saved again, because what it runs has changed since its approval.",
    ],
    remedy:
      "Make the call as a user, through the API. An owner can bypass the approval with `--break-glass WHY`, which is audited.",
  },
  APPROVAL_WRONG_STATE: {
    meaning: "The request for approval has already ended.",
    causes: ["Somebody else has decided, it was withdrawn, or it has expired."],
    remedy: "See how it ended with `platformctl approvals get REQUEST`.",
  },
  APPROVAL_DIGEST_MISMATCH: {
    meaning: "The digest does not belong to this request. You may have read a different request.",
    causes: ["The digest was copied from another request, or is cut off."],
    remedy: "Read the request again and use its digest: `platformctl approvals get REQUEST`.",
  },
  APPROVAL_POLICY_NAME_TAKEN: {
    meaning: "There is already an approval policy with this name.",
    causes: ["Names of policies are unique."],
    remedy: "Choose another name, or change that policy with `platformctl policies update`.",
  },
  LAST_OWNER: {
    meaning: "The server must keep at least one active owner.",
    causes: ["Somebody tried to demote, disable or delete the last active owner."],
    remedy: "Create another owner first.",
  },
  USERNAME_TAKEN: {
    meaning: "There is already a user with this username.",
    causes: ["Usernames are unique, whatever their letter case."],
    remedy: "Choose another username.",
  },
  SAVED_VIEW_NAME_TAKEN: {
    meaning: "There is already a saved view with this name.",
    causes: ["Names are unique among your own views, and among the shared ones."],
    remedy: "Choose another name, or change that view with `platformctl views update`.",
  },
  DECLARATIONS_CHANGED: {
    meaning:
      "The stored objects have changed since the preview, so applying the files would make other changes.",
    causes: ["Somebody has changed a declared object between the preview and `apply`."],
    remedy: "Run `platformctl apply` again and look at the new preview.",
  },
  VERSION_CONFLICT: {
    meaning: "Somebody else has changed the object since you read it.",
    causes: [
      "The request contains an older `version`, for example from a file that was written earlier.",
    ],
    remedy: "Read the object again, and make your change to the current version.",
  },
  IDEMPOTENCY_KEY_REUSED: {
    meaning: "This idempotency key belongs to a call with a different path, query or body.",
    causes: ["A script uses one `--request-id` for different actions or payloads."],
    remedy: "Use a new key for each new call.",
  },
  IDEMPOTENCY_SECRET_GONE: {
    meaning: "This call was made before. It created a token or key that is shown only once.",
    causes: ["A call to create a credential was repeated after its response was lost."],
    remedy: "Revoke the credential in `details.id`, and create another one with a new key.",
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
      "Make the action return less, or raise the limit. The sidecar and the agent library send a shorter result by themselves when the server refuses one.",
  },
  UNSUPPORTED_MEDIA_TYPE: {
    meaning: "The body is not declared as JSON.",
    causes: ["The header `Content-Type` is missing or names another type."],
    remedy: "Send `Content-Type: application/json`.",
  },
  MISDIRECTED_HOST: {
    meaning: "The server does not accept the name in the `Host` header.",
    causes: [
      "The request uses a host name that the server does not know, for example behind a proxy.",
      "A page of another site has made the request (DNS rebinding).",
    ],
    remedy: "Add the host to `PLATFORM_ALLOWED_HOSTS`, or set `PLATFORM_PUBLIC_URL`.",
  },
  VALIDATION_FAILED: {
    meaning: "A field of the request is missing or has a value that is not allowed.",
    causes: [
      "A value is missing, mistyped or of the wrong type. `details.issues` lists each field with its path and what is wrong.",
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
      "See the fields with `platformctl actions list SERVICE`, or `actions prepare` for the current form.",
  },
  PAYLOAD_NEEDS_SECRETS: {
    meaning:
      "The payload contains secrets that the server no longer has, or that only the user who gave them can use again.",
    causes: [
      "A command with secrets is retried. They were deleted when it ended.",
      "Somebody else changes the target of a schedule or route that has stored secrets.",
    ],
    remedy: "Supply each secret in `details.pointers` again.",
  },
  PLAN_INVALID: {
    meaning: "This server has not signed the plan.",
    causes: [
      "The file was changed or cut off.",
      "The plan is from another server or another version.",
    ],
    remedy: "Make a new plan with `platformctl actions plan SERVICE ACTION`.",
  },
  BUS_DEPTH_EXCEEDED: {
    meaning:
      "The chain of causes is too long: the bus itself caused the event that led to this one.",
    causes: [
      "A command of the bus publishes an event, and a command caused by that event also publishes one.",
    ],
    remedy: "Make the second service do the work itself, or publish the event without a cause.",
  },
  TOO_MUCH_WORK: {
    meaning: "The call would have to examine more than a single call may.",
    causes: ["The fleet is large and the call concerns all of it, or the files declare too much."],
    remedy: "Make several smaller calls, for example one for each agent or label.",
  },
  RATE_LIMITED: {
    meaning: "Too many calls. `Retry-After` says how many seconds to wait.",
    causes: [
      "One credential makes more requests than `PLATFORM_MAX_REQUESTS_PER_SECOND`.",
      "There were too many failed sign-ins or registrations from this network.",
      "Expensive calls, such as verifications or backups, wait for each other.",
    ],
    remedy: "Wait and repeat the call. Make expensive calls one after the other.",
  },
  BUS_RATE_LIMITED: {
    meaning: "The agent has published more events within a minute than allowed.",
    causes: ["It publishes more than `PLATFORM_CAPSULE_BUS_INGEST_PER_MIN` events, 60 by default."],
    remedy: "Wait as long as `Retry-After` says, publish fewer events, or raise the limit.",
  },
  INTERNAL_ERROR: {
    meaning: "An unexpected error occurred in the server.",
    causes: ["There is a bug in the server."],
    remedy:
      "Search the server's log for the request id in the response, and report the error with that entry.",
  },
  NOT_SUPPORTED: {
    meaning: "This database does not support the call.",
    causes: ["Backups of PostgreSQL are made with PostgreSQL's own programs."],
    remedy: "Run the command in the message.",
  },
  ACTION_PREPARE_FAILED: {
    meaning: "The agent could not prepare the action. Nothing was run.",
    causes: ["The service, or the program that prepares the action, reported an error."],
    remedy: "The message and `details` give the agent's reason. Correct the cause, and try again.",
  },
  UNAVAILABLE: {
    meaning: "The server cannot do this now. The same call may succeed later.",
    causes: [
      "The database cannot be read or written. The message names the reason, such as a full disk.",
      "The server is stopping, or has too many connections or streams.",
      "Another call with the same idempotency key is in progress.",
    ],
    remedy:
      "Wait for as long as `Retry-After` says, and repeat the call. `platformctl health` shows the reason.",
  },
  ACTION_PREPARE_TIMEOUT: {
    meaning: "The agent has not prepared the action within its timeout. Nothing was run.",
    causes: [
      "The agent has just gone offline, or is running as many commands as it can.",
      "The program or service that prepares the action is slow.",
    ],
    remedy: "See when the agent last called with `platformctl agents get AGENT`, and try again.",
  },
};

/** Codes with which commands and their parts fail. Actions can also fail with their own codes. */
export const outcomeGuide = {
  ACTION_FAILED: {
    meaning: "The action failed without an error code.",
    causes: [
      "The handler of the action threw an error, or the service reported one without a code.",
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
      "See what it has written with `platformctl commands logs COMMAND`, or raise the action's `timeout`.",
  },
  ACTION_UNKNOWN: {
    meaning: "The agent does not know the service or the action.",
    causes: ["It was removed from the agent's configuration after the command was created."],
    remedy: "Add it again, or choose an action that `platformctl actions list SERVICE` shows.",
  },
  AGENT_RESTARTED: {
    meaning: "The agent ended while the command ran. It is not known how far the command got.",
    causes: ["The agent or its host crashed, was killed or was restarted."],
    remedy:
      "Check the service before you repeat the command. The agent never runs it again by itself.",
  },
  AGENT_STOPPED: {
    meaning: "The agent was stopped, and the action did not end in time.",
    causes: ["The agent was stopped or restarted while the action ran."],
    remedy: "Check the service, then repeat the command. Raise `stopGrace` for long actions.",
  },
  AGENT_STORAGE_FAILED: {
    meaning: "The agent could not write its journal, so it did not run the command.",
    causes: ["The disk of the agent's state folder is full or read-only."],
    remedy: "Make the folder in `stateDir` writable, then repeat the command.",
  },
  COMMAND_ALREADY_RUN: {
    meaning:
      "The command was delivered again after its result was acknowledged, and was not run again.",
    causes: [
      "The server's database was reset to an earlier state, for example by restoring a backup.",
    ],
    remedy: "Check the service. The command did run the first time.",
  },
  COMMAND_CANCELLED: {
    meaning: "An operator cancelled the command, and the action ended or was never started.",
    causes: ["Somebody has run `platformctl commands cancel`, or cancelled it in the console."],
    remedy: "Repeat it with `platformctl commands retry COMMAND` if it is still needed.",
  },
  COMMAND_EXPIRED: {
    meaning: "The command expired before the agent ran it.",
    causes: ["The agent was offline, or other commands of the service took too long."],
    remedy: "Make sure that the agent is ONLINE, then repeat the command.",
  },
  COMMAND_NOT_STOPPED: {
    meaning: "An operator cancelled the command, but the action did not end within 10 s.",
    causes: ["The program or handler ignores the signal to stop."],
    remedy: "Check the service. The action may still be running.",
  },
  COMMAND_TIMED_OUT: {
    meaning: "The agent received the command, but reported no result in time.",
    causes: ["The agent or its host went down while the command ran, or cannot reach the server."],
    remedy:
      "Check the service before you repeat the command. If a result still arrives, it is kept as the late result.",
  },
  FORM_INVALID: {
    meaning: "The form that `prepare` returned is not JSON.",
    causes: ["The program prints something in addition to the form, or only part of the form."],
    remedy: "Run the program of `prepare` by hand, and correct what it prints on standard output.",
  },
  OUTPUT_TOO_LARGE: {
    meaning: "The form that `prepare` returned is larger than 256 KiB.",
    causes: ["The program prints too much."],
    remedy: "Make `prepare` return less.",
  },
  OWNER_DISABLED: {
    meaning: "A run of a schedule failed, because the schedule's owner is disabled or was deleted.",
    causes: ["A schedule runs with the rights of the user who saved it last."],
    remedy: "Ask another user to save the schedule. That user then owns it.",
  },
  OWNER_ROLE: {
    meaning:
      "A run of a schedule failed, because its owner's role no longer permits running actions.",
    causes: ["The owner of the schedule is now a viewer."],
    remedy: "Ask an operator to save the schedule. The operator then owns it.",
  },
  PROGRAM_FAILED: {
    meaning: "The program of the action exited with a status other than 0, or was killed.",
    causes: [
      "The program reported an error: the message is the last line of its standard error, and the details contain the exit status.",
    ],
    remedy: "Run the program by hand as the agent's user.",
  },
  PROGRAM_NOT_STARTED: {
    meaning: "The program of the action could not be started.",
    causes: ["The program or its `cwd` does not exist, or is not in the agent's `PATH`."],
    remedy: "Write the full path, and check it with `platform agent check`.",
  },
  SECRET_MISSING: {
    meaning: "The secret of a header could not be read, so the request was not sent.",
    causes: ["The variable is not set, or the file cannot be read by the agent's user."],
    remedy: "Set the variable or correct the file, and check it with `platform agent check`.",
  },
  SERVICE_NOT_HEALTHY: {
    meaning: "The command of a rollout succeeded, but its service was not healthy in time.",
    causes: [
      "The service is unhealthy, or its agent did not report it again within `--health-timeout` after the command.",
    ],
    remedy:
      "See why with `platformctl services get SERVICE`, then run `platformctl rollouts retry ROLLOUT`.",
  },
  SERVICE_UNREACHABLE: {
    meaning: "The service did not respond to the request of the action.",
    causes: ["The service is down, or the URL in the agent's configuration is wrong."],
    remedy: "Call the URL by hand on the agent's host.",
  },
  STATE_CHANGED: {
    meaning: "The state is no longer the one that was shown, so nothing was run.",
    causes: ["Somebody or something has changed the service since it was prepared."],
    remedy: "Prepare the action again, and look at the new state.",
  },
  STATE_NOT_CHECKED: {
    meaning: "The state could not be compared with the one that was shown, so nothing was run.",
    causes: ["`prepare` failed or returned no state when the agent called it again."],
    remedy: "Prepare the action again.",
  },
  TARGET_CHANGED: {
    meaning: "What would run has changed since it was approved or chosen, so nothing was run.",
    causes: ["The service belongs to another agent now, or declares the action differently."],
    remedy: "Start the rollout again, or save the schedule again.",
  },
} as const satisfies Guide<string>;

export type OutcomeCode = keyof typeof outcomeGuide;

/** The usual codes of the command line itself, with the exit status. */
export const commandLineGuide = {
  USAGE: {
    exitStatus: 2,
    meaning: "The command line is not valid: a command, an option or a value is wrong or missing.",
    causes: [
      "An option is mistyped, or comes before the command.",
      "A value is missing, and there is no terminal to ask.",
    ],
    remedy: "Read the usage with `--help` after the command.",
  },
  UNREACHABLE: {
    exitStatus: 6,
    meaning: "The server did not respond, or its certificate is not trusted.",
    causes: [
      "The server is down, or the URL, the port or the proxy is wrong.",
      "The server's certificate is from a private authority.",
    ],
    remedy:
      "Check the URL in the message, and that `platform serve` runs there. Specify a private certificate authority with `--ca-file`. On the " +
      "server's host, `--db` works without the server.",
  },
  AMBIGUOUS: {
    exitStatus: 5,
    meaning: "The name or partial id matches more than one object. Nothing was done.",
    causes: ["Two objects have the same name, or the partial id is too short."],
    remedy: "Use one of the ids that the message lists.",
  },
  NOT_CONFIRMED: {
    exitStatus: 5,
    meaning: "You have not confirmed the change. Nothing was done.",
    causes: ["The answer to the question was no."],
    remedy: "Run the command again and confirm, or add `--yes`.",
  },
  INTERRUPTED: {
    exitStatus: 130,
    meaning: "The command was interrupted.",
    causes: ["Ctrl-C was pressed, or a signal ended the program."],
    remedy: "What the server has already accepted continues: `platformctl commands list` shows it.",
  },
  CONTEXT_NOT_FOUND: {
    exitStatus: 3,
    meaning: "There is no context with this name.",
    causes: [
      "The name in `--context` or `PLATFORM_CONTEXT` is mistyped, or you have not signed in yet.",
    ],
    remedy:
      "List the contexts with `platformctl context list`, or sign in with `platformctl login`.",
  },
  CONTEXT_TAKEN: {
    exitStatus: 5,
    meaning: "The name belongs to a context for another server.",
    causes: ["Two servers would share one name in `contexts.json`."],
    remedy:
      "Choose another name with `--name`, or delete the old one with `platformctl context delete NAME`.",
  },
  CONTEXTS_UNUSABLE: {
    exitStatus: 1,
    meaning: "The file that contains the contexts cannot be read or written.",
    causes: ["The file is damaged, or belongs to another user."],
    remedy: "Correct or delete `contexts.json`, which the message names, and sign in again.",
  },
  PREPARE_PENDING: {
    exitStatus: 8,
    meaning: "The agent has not prepared the action within `--timeout`. Nothing was run.",
    causes: ["The agent is slow or has just gone offline."],
    remedy:
      "Increase `--timeout`, or give the whole payload with `--payload`, which needs no prepare.",
  },
  FILE_EXISTS: {
    exitStatus: 5,
    meaning: "The file to be written already exists.",
    causes: ["An earlier run has written it."],
    remedy: "Name another file, or add `--force` if the command has it.",
  },
  FILE_NOT_WRITTEN: {
    exitStatus: 1,
    meaning: "A file could not be written.",
    causes: ["The folder does not exist, the disk is full, or this user may not write there."],
    remedy: "Correct what the message names, and run the command again.",
  },
  DATABASE_IN_USE: {
    exitStatus: 5,
    meaning: "The command needs the database for itself, but another program has it open.",
    causes: ["The server is still running."],
    remedy: "Stop the server and any other program that has the file open.",
  },
  NOT_OWNER: {
    exitStatus: 4,
    meaning:
      "Root does not work on a database in another user's folder, because it would own the new files.",
    causes: ["The command was run with `sudo`."],
    remedy: "Run it as that user: `runuser -u platform -- platformctl …`.",
  },
  CONFIG_INVALID: {
    exitStatus: 2,
    meaning: "The agent's file has mistakes. The message lists them with their lines.",
    causes: ["A field is mistyped, missing, or has a value that is not allowed."],
    remedy: "Correct the lines. `platform agent explain FIELD` describes a field.",
  },
  AUDIT_BROKEN: {
    exitStatus: 1,
    meaning: "The audit trail fails verification: somebody has changed it, or rows are gone.",
    causes: ["The database was edited by hand, or reset to an older state."],
    remedy:
      "Before you change anything, keep a copy of the database as evidence. `platform docs guides/audit` says how, and what to do next.",
  },
} as const satisfies Guide<string> & Readonly<Record<string, { exitStatus: number }>>;
