// The login.

export const login = {
  title: "Sign in",
  username: "Username",
  password: "Password",
  submit: "Sign in",
  sessionOver: "Your session has ended. Sign in to go on where you were.",
  wrong: "This username and password do not belong together.",
};
