// The login.

export const login = {
  title: "Sign in",
  username: "Username",
  password: "Password",
  submit: "Sign in",
  wrong: "This username and password do not belong together.",
};
