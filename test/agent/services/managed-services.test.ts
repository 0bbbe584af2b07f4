import { expect, test } from "vitest";
import { ManagedServices } from "../../../src/agent/services/managed-services.ts";
import { serviceWith } from "../harness.ts";

test("the handle of a removed service does not affect a later service with the same code", () => {
  const services = new ManagedServices();
  const [service] = serviceWith({});
  const add = () => services.add(service!, () => Promise.reject(new Error("not published")));
  const first = add();
  first.remove();
  add();
  first.remove();
  expect(services.list()).toEqual([service]);
  const action = { name: "more", execute: () => null };
  expect(() => first.action(action)).toThrow("the service collector was removed");
});
