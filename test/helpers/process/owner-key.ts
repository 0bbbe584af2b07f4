import { send } from "./process.ts";

export interface Owner {
  username: string;
  password: string;
}

/** Signs in over HTTP, and returns a new API key with the owner role. */
export async function ownerKey(url: string, owner: Owner): Promise<string> {
  const signedIn = await send(url, "POST", "/api/admin/auth/login", { body: owner });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  const created = await send(url, "POST", "/api/admin/api-keys", {
    headers: { cookie, "x-csrf-token": signedIn.body.data.csrfToken },
    body: { name: "test", role: "owner" },
  });
  if (created.status !== 201) throw new Error(`no key created: ${JSON.stringify(created.body)}`);
  return created.body.data.key;
}
