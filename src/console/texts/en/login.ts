export const login = {
  product: "platform",
  title: "Sign in",
  sessionOver: "Your session has ended. Sign in to continue where you were.",
  wrong: "The username or password is wrong.",
};
